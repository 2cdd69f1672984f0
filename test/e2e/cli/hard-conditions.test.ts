import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { request } from '../../support/api.ts'
import { approveSignIn } from '../../support/approve-sign-in.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'

// Files from Windows, folders that can't be written, wrong clocks, and connections that are cut.

const NAME = 'cli-hard'
const BOM = '\uFEFF'
/** A folder in which not even root can write. */
const READ_ONLY = '/sys/kernel'

let agent: FaultyAgent
let alice: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  alice = await CommandLine.open('alice')
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await alice?.[Symbol.asyncDispose]()
})

test('reads files and standard input with the line ends of Windows', async () => {
  const write = async (name: string, ...lines: string[]) =>
    await writeFile(join(alice.home, name), `${BOM}${lines.join('\r\n')}\r\n`)
  await write('astroai.yml', 'spec: astro/v1', `name: ${NAME}`, 'agent:', '  image: a:1')
  await write('overrides.yml', 'agent.replicas: 2', 'agent.expose.enabled: true')
  await write('.env', '# credentials', 'SERVICE_TOKEN=the-same')
  const settings = ['--overrides', 'overrides.yml', '--plan']
  const ofFile = await alice.run(['deploy', ...settings, '--env-file', '.env'])
  expect(ofFile).toMatchObject({ code: 0, stdout: expect.stringMatching(/^create\tIngress\t/m) })
  const input = `${BOM}SERVICE_TOKEN=the-same\r\n`
  const ofPipe = await alice.run(['deploy', ...settings, '--secrets-from', '-'], { input })
  expect(ofPipe).toMatchObject({ code: 0, stdout: expect.stringMatching(/^create\tIngress\t/m) })
  expect(await alice.run(['validate'])).toMatchObject({ code: 0 })

  const account = freshName('windows')
  await write('body.json', '{', `  "name": "${account}"`, '}')
  const sent = await alice.run(['api', 'POST', '/accounts', '--input', 'body.json'])
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining(account) })
})

test('says what can not be written, before anyone signs in or a file is made', async () => {
  const env = { HOME: READ_ONLY }
  expect(await alice.run(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' })
  await using visitor = await CommandLine.open()
  const login = await visitor.run(['login', fromStack('SLIPWAY_URL')], { env })
  expect(login).toMatchObject({ code: 1, stdout: '' })
  expect(login.stderr).toMatch(/^error: can't lock \/sys.*\nwhy: .*\nnext: {2}make the folder/)
  const init = await visitor.run(['init', 'node', 'helper'], { cwd: READ_ONLY })
  expect(init).toMatchObject({ code: 1, stdout: '' })
  expect(init.stderr).toMatch(/^error: can't use \/sys\/kernel\/helper\nwhy: .*\nnext: {2}check/)
})

test.each([3, -3])('signs in and goes on with a clock that is %d h off', async (hours) => {
  const program = `const now = Date.now; Date.now = () => now() + ${hours * 3_600_000}`
  const url = `data:text/javascript,${encodeURIComponent(program)}`
  const env = { NODE_OPTIONS: `--import=${url}` }
  await using visitor = await CommandLine.open()
  const login = ['login', fromStack('SLIPWAY_URL'), '--no-browser']
  using terminal = await visitor.onTerminal(login, { env })
  await approveSignIn(terminal)
  expect([await terminal.ended, terminal.text]).toEqual([
    0,
    expect.stringContaining('signed in to http'),
  ])
  for (const call of [['whoami'], ['usage']])
    expect(await visitor.run(call, { env })).toMatchObject({ code: 0, stderr: '' })
})

test('repeats what reads when the connection is cut, and says what may have happened', async () => {
  await using proxy = await faultyProxy(fromStack('SLIPWAY_URL'))
  const env = { SLIPWAY_URL: proxy.url }
  proxy.plant(/^GET .*\/me$/, 'reset')
  expect(await alice.run(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' })

  const name = freshName('cut')
  proxy.plant(/^DELETE .*\/accounts\//, 'reset')
  await request('POST', '/accounts', { as: 'alice', body: { name } })
  const cut = await alice.run(['account', 'delete', name, '--yes'], { env })
  expect(cut).toMatchObject({ code: 1, stdout: '' })
  expect(cut.stderr).toMatch(
    /^error: can't use http.*\nwhy: .*\n +the server may have done it nevertheless\nnext: {2}/,
  )
  expect(proxy.planted).toBe(0)
})
