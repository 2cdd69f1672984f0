import { execFile } from 'node:child_process'
import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'

// The client as it is published: packed, installed with npm, and used by a program of a user.

const CHECKOUT = resolve(import.meta.dirname, '../..')
const MOST_BYTES = 60_000
const DEPENDENCIES = ['eventsource-parser', 'openapi-fetch', 'openapi-typescript-helpers']
const run = promisify(execFile)

const PROGRAM = `
import { ApiError, createClient, type ItemOf, type Schemas } from '@slipway/client'

const slipway = createClient({
  url: process.env['SLIPWAY_URL'] ?? '',
  token: async () => process.env['SLIPWAY_TOKEN'],
})
const { data } = await slipway.GET('/api/v1/me')
const names: string[] = data.accounts.map((account) => account.name)
const agents: ItemOf<'/api/v1/agents'>[] = []
for await (const agent of slipway.items('/api/v1/agents', { params: { query: { limit: 1 } } })) {
  agents.push(agent)
  if (agents.length === 2) break
}
// @ts-expect-error A state that does not exist.
export const wrong: Schemas['DeploymentState'] = 'running'
// @ts-expect-error A path without its parameters.
slipway.GET('/api/v1/agents/{account}/{name}', {}).catch(() => {})
const path = { account: names[0] ?? '', name: 'no-such-agent' }
const error: unknown = await slipway
  .GET('/api/v1/agents/{account}/{name}', { params: { path } })
  .catch((each: unknown) => each)
const code = error instanceof ApiError ? error.code : undefined
console.log(JSON.stringify({ names, code }))
`

let folder: string
let archive: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-packed-client-'))
  const packing = [join(CHECKOUT, 'packages/client/scripts/pack.ts'), folder]
  archive = (await run(process.execPath, packing)).stdout.trim()
  const manifest = { private: true, type: 'module' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  // The tests have no registry, so the dependencies are packed from the workspace.
  const modules = join(CHECKOUT, 'packages/client/node_modules')
  const pack = async (name: string) => {
    // Equal files of the store are one file, and npm leaves links out.
    const copy = join(folder, 'copies', name)
    await cp(await realpath(join(modules, name)), copy, { recursive: true })
    const args = ['pack', '--ignore-scripts', copy]
    return join(folder, (await run('npm', args, { cwd: folder })).stdout.trim())
  }
  const dependencies: string[] = []
  for (const name of DEPENDENCIES) dependencies.push(await pack(name))
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--offline']
  await run('npm', ['install', ...quiet, archive, ...dependencies], { cwd: folder })
  await writeFile(join(folder, 'use.ts'), PROGRAM)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('is small', async () => {
  const { stdout } = await run('wc', ['-c', archive])
  expect(Number.parseInt(stdout)).toBeLessThan(MOST_BYTES)
})

test.each([
  ['Node', { lib: ['es2024'], types: ['node'] }],
  ['browsers', { lib: ['es2024', 'dom', 'dom.iterable'], types: [] }],
])('has types for programs of %s', async (_what, environment) => {
  const compilerOptions = {
    ...environment,
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    typeRoots: [join(CHECKOUT, 'node_modules/@types')],
  }
  // A browser has no process.
  const declared = environment.types.length === 0 ? ['process.d.ts'] : []
  const declaration = 'declare const process: { env: Record<string, string | undefined> }\n'
  await writeFile(join(folder, 'process.d.ts'), declaration)
  const config = { compilerOptions, files: ['use.ts', ...declared] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(CHECKOUT, 'node_modules/.bin/tsc')
  expect(await run(tsc, ['--project', folder])).toEqual({ stdout: '', stderr: '' })
})

test('runs', async () => {
  const env = {
    ...process.env,
    SLIPWAY_URL: fromStack('SLIPWAY_URL'),
    SLIPWAY_TOKEN: await tokenOf('alice'),
  }
  const { stdout } = await run(process.execPath, ['use.ts'], { cwd: folder, env })
  const { names, code } = JSON.parse(stdout) as { names: string[]; code: string }
  expect([names, code]).toEqual([
    expect.arrayContaining([await personalAccount('alice')]),
    'agent_not_found',
  ])
})
