import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemWithJson } from '../../support/cli-json.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// What the command line says when an agent can't be deployed or does not run.

const NAME = 'cli-failed'
const TOKEN = 'a-token-that-the-service-refuses-4711'

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

test('a crash: the reason of the pod, its log, and what to do', async () => {
  const input = `SERVICE_TOKEN=${TOKEN}\nFAULT=credential\n`
  const args = ['deploy', NAME, '--yes', '--secrets-from', '-']
  const piped = await slipway.run([...args, '--verbose'], { input })
  expect(piped.code).toBe(5)
  expect(piped.stdout).toMatch(/^status\tfailed$/m)
  expect(piped.stdout).toMatch(/^reason\tCrashLoopBackOff: the container exited with code 3$/m)
  expect(piped.stdout).toContain('  starting with fault credential\n')
  expect(piped.stdout).toContain('  the service refused SERVICE_TOKEN [redacted]: 401')
  expect(piped.stdout).toMatch(/^what to do:\n {2}The log names SERVICE_TOKEN/m)
  expect(piped.stderr).toMatch(/^ {2}pod cli-failed-agent-\S+: CrashLoopBackOff/m)
  expect(piped.stdout + piped.stderr).not.toContain(TOKEN)

  const again = await slipway.run(['deploy', NAME, '--yes', '--json'])
  const json = JSON.parse(again.stdout) as object
  expect([again.code, json]).toMatchObject([
    5,
    { status: 'failed', deployment: { failures: [{ exit_code: 3 }] } },
  ])
  expect(await problemWithJson('deploy', json)).toBeUndefined()
  expect(again.stdout + again.stderr).not.toContain(TOKEN)
})

test('nothing to roll back to', async () => {
  const outcome = await slipway.run(['rollback', NAME, '--yes'])
  expect([outcome.code, outcome.stderr]).toEqual([
    1,
    expect.stringContaining('no earlier revision to roll back to'),
  ])
})

test('an image that its registry does not have: nothing is deployed', async () => {
  const missing = `${fromStack('SLIPWAY_REGISTRY')}/no-such-image:1`
  await agent.register(`missing-${Date.now()}`, (spec) =>
    spec.replace(/image: "[^"]*"/, `image: "${missing}"`),
  )
  const outcome = await slipway.run(['deploy', NAME, '--plan'])
  expect(outcome.code).toBe(1)
  expect(outcome.stderr).toMatch(/image: the registry has no such image/)
  expect(outcome.stderr).toContain('next:  slipway push, which builds and pushes the image')
})

test('an unknown agent, and a name that would change the terminal', async () => {
  const unknown = await slipway.run(['deploy', 'no-such-agent', '--plan'])
  expect([unknown.code, unknown.stdout]).toEqual([1, ''])
  using terminal = await slipway.onTerminal(['deploy', 'evil\u001b[2Jname', '--plan'])
  expect(await terminal.ended).toBeGreaterThan(0)
  expect(terminal.output).not.toContain('\u001b[2J')
})

test('without a server that answers', async () => {
  const env = { SLIPWAY_URL: 'http://127.0.0.1:9' }
  const outcome = await slipway.run(['deploy', NAME, '--plan'], { env })
  expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('127.0.0.1:9')])
})
