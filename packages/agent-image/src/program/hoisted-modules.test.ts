import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { orderEntries } from '../image/entries.ts'
import { nodeDependencies } from './node-dependencies.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'slipway-hoisted-')))
})
afterEach(() => rm(root, { recursive: true }))

/** Writes a package as npm and Yarn do. */
async function unpack(path: string, manifest: object = {}): Promise<string> {
  const folder = join(root, path)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }))
  await writeFile(join(folder, 'index.js'), `// ${path}`)
  return folder
}

const needs = (...names: string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
})

async function files(folder: string): Promise<string[]> {
  // Throws if an entry is in the layer twice.
  const entries = orderEntries(await nodeDependencies(folder, 'app'))
  return entries.flatMap(({ type, path }) =>
    type === 'file' && path.endsWith('.js') ? [dirname(path)] : [],
  )
}

it('includes what is needed, with nested versions and cycles, and nothing else', async () => {
  const agent = await unpack('agent', needs('left', '@scope/right'))
  await unpack('agent/node_modules/left', needs('common', '@scope/right'))
  await unpack('agent/node_modules/left/node_modules/common')
  await unpack('agent/node_modules/common')
  await unpack('agent/node_modules/@scope/right', {
    ...needs('common', 'left'),
    optionalDependencies: { 'not-for-this-machine': '*' },
  })
  await unpack('agent/node_modules/only-for-development', needs('common'))
  expect(await files(agent)).toEqual([
    'app/node_modules/@scope/right',
    'app/node_modules/common',
    'app/node_modules/left',
    'app/node_modules/left/node_modules/common',
  ])
})

it('puts the packages of a workspace above the agent into the root of the image', async () => {
  const agent = await unpack('packages/agent', needs('left', 'own'))
  await unpack('node_modules/left', needs('common'))
  await unpack('node_modules/common')
  await unpack('packages/agent/node_modules/own', needs('common'))
  expect(await files(agent)).toEqual([
    'app/node_modules/own',
    'node_modules/common',
    'node_modules/left',
  ])
})

it('says how to install what is missing', async () => {
  const agent = await unpack('agent', needs('left'))
  await expect(files(agent)).rejects.toThrow('left is not installed in')
  await writeFile(join(agent, '.pnp.cjs'), '')
  await expect(files(agent)).rejects.toThrow('set nodeLinker: node-modules in .yarnrc.yml')
})

it('rejects packages of the workspace', async () => {
  const agent = await unpack('packages/agent', needs('shared'))
  const shared = await unpack('packages/shared')
  await mkdir(join(root, 'packages/agent/node_modules'))
  await symlink(shared, join(root, 'packages/agent/node_modules/shared'))
  await expect(files(agent)).rejects.toThrow('shared is a package of this workspace')
})
