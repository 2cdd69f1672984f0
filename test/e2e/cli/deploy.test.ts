import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemWithBody, problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'

// From the plan of a first deploy to the running agent.

const NAME = 'cli-deployed'
const TOKEN = 'token-that-no-one-sees-4711'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await slipway[Symbol.asyncDispose]()
})

test('changes nothing without consent', async () => {
  const outcome = await slipway.run(['deploy', NAME])
  expect(outcome).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: this needs your consent, which can't be asked for without a terminal\n" +
      'next:  use --yes, or --plan to see what would change\n',
  })
  for (const command of ['rollback', 'undeploy'])
    expect((await slipway.run([command, NAME])).code).toBe(2)
})

test('names all that is missing or wrong, and what to do', async () => {
  const wrong = ['--set', 'agent.replicas="many"', '--set', 'no.such.path=1']
  const outcome = await slipway.run(['deploy', NAME, '--plan', ...wrong])
  expect([outcome.code, outcome.stdout]).toEqual([1, ''])
  expect(outcome.stderr).toMatch(/user_credentials\.SERVICE_TOKEN: a required credential/)
  expect(outcome.stderr).toMatch(/agent\.replicas/)
  expect(outcome.stderr).toMatch(/no\.such\.path/)
  expect(outcome.stderr).toContain('give the credentials with --env-file FILE or --secrets-from -')
  expect(outcome.stderr).toContain('correct --set or --overrides')
  expect((await slipway.run(['deploy', NAME, '--plan'])).code).toBe(2)
})

test('shows the plan of a first deploy, with credentials from standard input', async () => {
  const input = JSON.stringify({ SERVICE_TOKEN: TOKEN, OTHER: 'another-secret-4711' })
  const args = ['deploy', NAME, '--plan', '--secrets-from', '-']
  const text = await slipway.run([...args, '--verbose'], { input })
  expect(text).toMatchObject({ code: 0 })
  expect(text.stdout).toMatch(new RegExp(`^create\tDeployment\t${NAME}-agent\t`, 'm'))
  expect(text.stdout).toMatch(/^create\tSecret\t/m)
  expect(text.stderr).toContain('not sent, as the agent does not declare them: OTHER')
  expect(text.stderr).toMatch(/POST \S+\/api\/v1\/deploy\/validate\S* 200/)
  expect(text.stdout + text.stderr).not.toMatch(/4711/)
  const json = (await slipway.json(args, { input })) as { validation: unknown }
  expect(json).toMatchObject({ status: 'planned', account: agent.account })
  expect(await problemWithJson('deploy', json)).toBeUndefined()
  expect(await problemWithBody('POST /deploy/validate', json.validation)).toBeUndefined()
})

test('asks for a credential without showing it, deploys, and says how to go on', async () => {
  using terminal = await slipway.onTerminal(['deploy', NAME])
  await terminal.shows(/SERVICE_TOKEN \(A token\)/)
  terminal.type(`${TOKEN}\r`)
  await terminal.shows(/ACTION +KIND +NAME/)
  await terminal.shows(new RegExp(`Deploy ${NAME} \\(.*\\) to ${agent.account}\\?`))
  terminal.type('y')
  expect([await terminal.ended, terminal.text]).toEqual([0, expect.stringContaining('ready')])
  // The plan has listed them, with the names that the deploy uses.
  expect(terminal.text).toMatch(/^applied \d+ objects as planned$/m)
  expect(terminal.text).not.toMatch(/^(created|changed) /m)
  expect(terminal.text).toMatch(/pod cli-deployed-agent-\S+: ready/)
  expect(terminal.text).toMatch(/status +ready/)
  expect(terminal.text).toMatch(/http +http:\/\/cli-deployed-agent\.\S+/)
  expect(terminal.text).toContain(`next: slipway logs ${NAME}, slipway traces ${NAME}`)
  expect(terminal.output).not.toContain(TOKEN)
})

test('a second deploy changes nothing, and needs no credentials', async () => {
  const json = (await slipway.json(['deploy', NAME, '--yes'])) as Record<string, unknown>
  expect(json).toMatchObject({
    status: 'ready',
    result: { status: 'success', revision: 1 },
    deployment: { state: 'ready', revision: 1 },
  })
  expect(await problemWithJson('deploy', json)).toBeUndefined()
  expect(await problemWithBody('POST /deploy', json['result'])).toBeUndefined()
  const path = 'GET /agents/{account}/{name}/deployment'
  expect(await problemWithBody(path, json['deployment'])).toBeUndefined()
  const piped = await slipway.run(['deploy', NAME, '--yes'])
  expect(piped.stdout).toMatch(/^agent\tcli-deployed\nstatus\tready\nrevision\t1\nbuild\tfirst-/)
  expect(piped.stderr).toMatch(/nothing changes: \d+ objects/)
})

test('follows the pods on after the connection was cut', async () => {
  await using proxy = await faultyProxy(fromStack('SLIPWAY_URL'))
  // More than the client repeats a request, and the deploy itself once.
  for (let times = 0; times < 6; times += 1) proxy.plant(/^GET .*\/deployment$/, 'reset')
  proxy.plant(/^POST .*\/deploy$/, 'reset')
  const env = { SLIPWAY_URL: proxy.url }
  const outcome = await slipway.run(['deploy', NAME, '--yes', '--verbose'], { env })
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^revision\t1$/m) })
  expect(outcome.stderr).toContain('the server does not answer; waiting for it …')
  expect(proxy.planted).toBe(0)
})
