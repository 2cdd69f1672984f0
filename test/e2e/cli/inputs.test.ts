import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { CommandLine } from '../../support/command-line.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'

// Options that name a file also read named pipes, `<(…)` and standard input, and say when they
// wait.

const NAME = 'cli-inputs'
const CTRL_C = '\u0003'
const PLAN = `slipway deploy ${NAME} --plan`
const PLANNED = /\bagent-cli-inputs-\w/
const launchers = ['slipway', 'dev'].map((name) => join(import.meta.dirname, '../../..', name))

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await slipway?.[Symbol.asyncDispose]()
})

async function makePipe(name: string): Promise<string> {
  const path = join(slipway.home, name)
  const made = await slipway.script(`mkfifo ${path}`)
  expect(made.code).toBe(0)
  return path
}

test.each([
  `${PLAN} --env-file <(echo SERVICE_TOKEN=x)`,
  `${PLAN} --env-file=<(sleep 0.1; echo SERVICE_TOKEN=x)`,
  `echo SERVICE_TOKEN=x | ${PLAN} --env-file -`,
  `echo SERVICE_TOKEN=x | ${PLAN} --env-file /dev/stdin`,
  `${PLAN} --secrets-from <(echo SERVICE_TOKEN=x) --overrides <(echo agent.replicas: 2)`,
  `${PLAN} --env-file <(echo SERVICE_TOKEN=x) --overrides - <<< '{"agent.replicas": 2}'`,
  `slipway api POST '/deploy/validate?dry_run=server' --input <(echo "$BODY")`,
])('%s', async (command) => {
  const { account } = agent
  const body = { account, name: NAME, user_credentials: { SERVICE_TOKEN: 'x' } }
  const outcome = await slipway.script(command, { env: { BODY: JSON.stringify(body) } })
  expect(outcome).toMatchObject({ code: 0 })
  expect(outcome.stdout).toMatch(PLANNED)
})

test.each(['--env-file', '--secrets-from', '--overrides'])(
  '%s of a named pipe says that it waits, and reads what is written to it',
  async (option) => {
    const pipe = await makePipe(`pipe${option}`)
    const rest = option === '--overrides' ? '--env-file <(echo SERVICE_TOKEN=x)' : ''
    using terminal = await slipway.shell(['bash', '-c', `${PLAN} ${option} ${pipe} ${rest}`])
    await terminal.shows(/waiting for the end of \S+pipe/)
    await appendFile(pipe, option === '--overrides' ? 'agent.replicas: 2\n' : 'SERVICE_TOKEN=x\n')
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toMatch(PLANNED)
  },
)

test('Ctrl-C ends the wait for a named pipe', async () => {
  const pipe = await makePipe('silent')
  using terminal = await slipway.shell(['bash', '-c', `exec ${PLAN} --env-file ${pipe}`])
  await terminal.shows(/waiting for the end of \S+silent/)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(130)
})

test('a file without an end is refused', async () => {
  const outcome = await slipway.run(['deploy', NAME, '--plan', '--env-file', '/dev/zero'])
  expect(outcome).toMatchObject({ code: 2 })
  expect(outcome.stderr).toContain('/dev/zero has more than 67108864 bytes')
})

test.each(launchers)('%s leaves no option to Node', async (launcher) => {
  const cache = { SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] }
  for (const option of ['env-file', 'env-file-if-exists', 'require']) {
    const call = `${launcher} status --${option} /missing`
    const { code, stderr } = await slipway.script(call, { env: cache })
    expect(stderr).toMatch(/nknown option|no option/)
    expect(code).toBeGreaterThan(0)
  }
})
