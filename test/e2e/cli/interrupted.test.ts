import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshName } from '../../contract/cases/case.ts'
import { request } from '../../support/api.ts'
import { CommandLine, type CallOptions } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'

// Ctrl-C at the stages of commands: what the user reads, and what is left. The stages of a deploy
// are in deploy-interrupted.test.ts.

const NAME = 'cli-cut-short'
const CTRL_C = '\u0003'
const MAY_STILL = 'interrupted: the server had not answered, and may still do it'
const NOT_REGISTERED = 'interrupted: no build was registered; what the registry has'

let agent: FaultyAgent
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  slipway = await CommandLine.open('alice')
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SERVICE_TOKEN: 'any-token' },
    overrides: { 'agent.replicas': 2 },
  }
  const { status, text } = await request('POST', '/deploy?wait=200', { as: 'alice', body })
  expect({ status, text }).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await slipway?.[Symbol.asyncDispose]()
})

interface Silence {
  /** The variable with the address of the server, and the request that it does not answer. */
  readonly variable: 'SLIPWAY_URL' | 'SLIPWAY_REGISTRY'
  readonly like: RegExp
}

/** Runs a command, and presses Ctrl-C while it waits for an answer. */
async function interrupt(
  args: readonly string[],
  { variable, like }: Silence,
  { env, ...options }: CallOptions = {},
) {
  const address = fromStack(variable)
  await using proxy = await faultyProxy(variable === 'SLIPWAY_URL' ? address : `http://${address}`)
  proxy.plant(like, 'silence')
  const given = variable === 'SLIPWAY_URL' ? proxy.url : new URL(proxy.url).host
  const servers = { SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY'), [variable]: given }
  using terminal = await slipway.onTerminal(args, { ...options, env: { ...servers, ...env } })
  await waitFor(() => Promise.resolve(proxy.planted === 0), { what: 'the request' })
  terminal.type(CTRL_C)
  return { code: await terminal.ended, text: terminal.text }
}

/** The folder of an agent without dependencies, whose program the registry does not have yet. */
async function smallProject(name: string): Promise<string> {
  const folder = join(slipway.home, name)
  await mkdir(join(folder, 'src'), { recursive: true })
  const manifest = { name, type: 'module', bin: { agent: 'src/agent.js' }, files: ['src'] }
  const build = '{ context: ., dockerfile: Dockerfile }'
  const spec = `spec: astro/v1\nname: ${name}\nagent: { build: ${build}, port: 80 }\n`
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'src/agent.js'), `console.log('${name}')\n`)
  await writeFile(join(folder, 'astroai.yml'), spec)
  return folder
}

const gateway = (like: RegExp): Silence => ({ variable: 'SLIPWAY_URL', like })

test.concurrent.each([
  ['whoami'],
  ['usage'],
  ['status', NAME],
  ['history', NAME],
  ['agents', 'show', NAME],
  ['traces', NAME],
  ['restart', NAME],
  ['undeploy', NAME],
  ['deploy', NAME],
])('%s ends while it reads', async (...args) => {
  expect(await interrupt(args, gateway(/./))).toEqual({
    code: 130,
    text: expect.stringMatching(/^interrupted$/m),
  })
})

test('login ends before there is a code', async () => {
  await using proxy = await faultyProxy(fromStack('SLIPWAY_URL'))
  proxy.plant(/./, 'silence')
  await using visitor = await CommandLine.open()
  using terminal = await visitor.onTerminal(['login', proxy.url])
  await waitFor(() => Promise.resolve(proxy.planted === 0), { what: 'the request' })
  terminal.type(CTRL_C)
  expect([await terminal.ended, terminal.text]).toEqual([
    130,
    expect.stringMatching(/^interrupted$/m),
  ])
})

test.each([
  ['account', 'create'],
  ['tokens', 'create'],
])('%s %s says that the server may still do it', async (...command) => {
  const call = [...command, freshName('cut')]
  const { code, text } = await interrupt(call, gateway(/^POST /))
  expect([code, text]).toEqual([130, expect.stringContaining(MAY_STILL)])
})

test('trigger, before the run is known and while it goes on', async () => {
  const early = await interrupt(['trigger', NAME, 'load'], gateway(/^POST /))
  expect([early.code, early.text]).toEqual([130, expect.stringContaining(MAY_STILL)])
  const wait = ['trigger', NAME, 'load', '--wait']
  const late = await interrupt(wait, gateway(/^GET .*\/runs/))
  expect([late.code, late.text]).toEqual([8, expect.stringContaining('detached: the run goes on')])
})

test('restart names the pods that it has not restarted', async () => {
  using terminal = await slipway.onTerminal(['restart', NAME, '--yes'])
  await terminal.shows(/restarting pod/)
  terminal.type(CTRL_C)
  expect([await terminal.ended, terminal.text]).toEqual([
    130,
    expect.stringMatching(/interrupted: the other pods stay.*\nagent.*not restarted +cli/s),
  ])
})

test('push at each stage registers nothing, and the next one goes on', async () => {
  const name = freshName('pushed')
  const cwd = await smallProject(name)
  const team = freshName('push')
  await request('POST', '/accounts', { as: 'alice', body: { name: team } })
  const env = { SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] }
  const push = ['push', '--from', 'project', '--account', team]
  for (const [variable, like, words] of [
    ['SLIPWAY_REGISTRY', /^POST .*\/blobs\/uploads/, NOT_REGISTERED],
    ['SLIPWAY_REGISTRY', /^PUT .*\/blobs\/uploads/, NOT_REGISTERED],
    ['SLIPWAY_REGISTRY', /^PUT .*\/manifests\//, NOT_REGISTERED],
    ['SLIPWAY_URL', /^POST .*\/register$/, MAY_STILL],
  ] as const) {
    const { code, text } = await interrupt(push, { variable, like }, { cwd, env })
    expect({ like, code, text }).toEqual({ like, code: 130, text: expect.stringContaining(words) })
  }
  expect((await request('GET', `/agents/${team}`, { as: 'alice' })).body.agents).toEqual([])
  const registry = { SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY') }
  const again = await slipway.run(push, { cwd, env: { ...env, ...registry } })
  const registered = expect.stringContaining(`registered ${team}/${name}`)
  expect(again).toMatchObject({ code: 0, stdout: registered })
})

test('build ends the engine that builds a Dockerfile', async () => {
  // A registry that never answers, for the base image.
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const cwd = join(slipway.home, 'waiting')
  expect(await slipway.run(['init', 'python', 'waiting'])).toMatchObject({ code: 0 })
  await writeFile(join(cwd, 'Dockerfile'), `FROM 127.0.0.1:${port}/base:1\n`)
  const env = {
    STORAGE_DRIVER: 'vfs',
    BUILDAH_ISOLATION: 'chroot',
    SLIPWAY_CACHE_DIR: join(slipway.home, 'cache'),
    SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY'),
  }
  const build = ['build', '--from', 'dockerfile', '--verbose']
  using terminal = await slipway.onTerminal(build, { cwd, env })
  await waitFor(() => Promise.resolve(sockets.size > 0), { what: 'the engine', timeoutMs: 60_000 })
  terminal.type(CTRL_C)
  expect([await terminal.ended, terminal.text]).toEqual([
    130,
    expect.stringContaining('interrupted: the agent was not built'),
  ])
  for (const socket of sockets) socket.destroy()
  silent.close()
})
