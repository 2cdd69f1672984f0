import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { request, tokenOf } from '../../support/api.ts'
import { approveSignIn } from '../../support/approve-sign-in.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'
import { argumentsOfProcesses } from '../../support/process-arguments.ts'

// Where secrets must not be: in arguments of processes, in what --verbose prints, in files other
// than that of the tokens, and in the history of a shell.

const NAME = 'cli-secretive'
const SECRET = 'secret-of-the-service-4711'
const CTRL_C = '\u0003'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
  await writeFile(join(slipway.home, 'given.env'), `SERVICE_TOKEN=${SECRET}\n`)
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await slipway?.[Symbol.asyncDispose]()
})

/** The files below a folder that contain this text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const found = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return (await readFile(path)).includes(text) ? path.slice(folder.length + 1) : []
  })
  return (await Promise.all(found)).flat()
}

test.each([
  ['a file', `slipway deploy ${NAME} --yes --verbose --env-file given.env`],
  ['standard input', `cat given.env | slipway deploy ${NAME} --yes --verbose --secrets-from -`],
  ['a question', `slipway deploy ${NAME} --yes --verbose`],
])('a credential from %s', async (source, command) => {
  await using proxy = await faultyProxy(fromStack('SLIPWAY_URL'))
  proxy.plant(/^POST .*\/deploy$/, 'silence')
  using terminal = await slipway.shell(['sh', '-c', command], { SLIPWAY_URL: proxy.url })
  if (source === 'a question') {
    await terminal.shows(/SERVICE_TOKEN/)
    terminal.type(`${SECRET}\r`)
  }
  await waitFor(() => Promise.resolve(proxy.planted === 0), { what: 'the deploy' })
  const seen = await argumentsOfProcesses(slipway.home)
  expect(seen.join('\n')).toContain(`deploy ${NAME}`)
  terminal.type(CTRL_C)
  await terminal.shows(/Ctrl-C again/)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBeGreaterThan(0)
  expect(terminal.output).toMatch(/POST \S+\/deploy\/validate/)
  for (const secret of [SECRET, await tokenOf('alice')]) {
    expect(seen.join('\n')).not.toContain(secret)
    expect(terminal.output).not.toContain(secret)
  }
  expect(await filesWith(slipway.home, SECRET)).toEqual(['given.env'])
})

test('the history of a shell', async () => {
  const history = join(slipway.home, 'history')
  const bash = ['bash', '--norc', '--noprofile', '-i']
  using terminal = await slipway.shell(bash, { HISTFILE: history })
  terminal.type(`slipway deploy ${NAME}\r`)
  await terminal.shows(/SERVICE_TOKEN \(/)
  terminal.type(`${SECRET}\r`)
  await terminal.shows(/Deploy cli-secretive/)
  terminal.type('n')
  await terminal.shows(/nothing was changed/)
  terminal.type('exit\r')
  await terminal.ended
  const text = await readFile(history, 'utf8')
  expect(text).toContain(`slipway deploy ${NAME}`)
  expect(text).not.toContain(SECRET)
  expect(terminal.output).not.toContain(SECRET)
})

test('the tokens of a sign-in', async () => {
  await using visitor = await CommandLine.open()
  const command = `slipway login ${fromStack('SLIPWAY_URL')} --no-browser --verbose`
  using login = await visitor.shell(['sh', '-c', command])
  await approveSignIn(login)
  expect(await login.ended).toBe(0)
  const file = '.config/slipway/tokens.json'
  const stored = Object.values(JSON.parse(await readFile(join(visitor.home, file), 'utf8')))
  const { access_token, refresh_token } = stored[0] as Record<string, string>

  const seen: string[] = []
  for (const call of [['whoami'], ['auth', 'status'], ['doctor'], ['api', 'GET', '/me', '-i']]) {
    const { stdout, stderr } = await visitor.run([...call, '--verbose'])
    seen.push(stdout, stderr)
  }
  for (const secret of [access_token ?? '', refresh_token ?? '']) {
    expect(secret.length).toBeGreaterThan(10)
    expect([login.output, ...seen].join('\n')).not.toContain(secret)
    expect(await filesWith(visitor.home, secret)).toEqual([file])
  }
})

test('a new machine token is in standard output only', async () => {
  const team = freshName('team')
  await request('POST', '/accounts', { as: 'alice', body: { name: team } })
  const create = ['tokens', 'create', 'ci', '--account', team, '--verbose']
  const { stdout, stderr } = await slipway.run(create)
  const secret = stdout.trim()
  expect(secret).toMatch(/^slipway_\w{49}$/)
  expect(stderr).toMatch(/POST \S+\/tokens 201/)
  const env = { SLIPWAY_TOKEN: secret }
  for (const call of [['whoami'], ['tokens', 'list', '--account', team], ['doctor']]) {
    const outcome = await slipway.run([...call, '--verbose'], { env })
    expect(outcome.stdout + outcome.stderr).not.toContain(secret)
  }
  expect(stderr).not.toContain(secret)
  expect(await filesWith(slipway.home, secret)).toEqual([])
})
