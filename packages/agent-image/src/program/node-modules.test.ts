import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { linkedDependencies } from './node-modules.ts'

let root: string
let store: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-modules-'))
  store = join(root, 'node_modules', '.pnpm')
  folder = join(root, 'agent')
})
afterEach(() => rm(root, { recursive: true }))

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

/** Creates a package with pnpm's layout: its files, and links to its dependencies next to it. */
async function unpack(
  id: string,
  name: string,
  dependencies: Record<string, string> = {},
): Promise<string> {
  const place = join(store, id, 'node_modules', name)
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'index.js'), `// ${id}`)
  await writeFile(join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  await writeFile(join(place, 'index.d.ts'), '')
  await writeFile(join(place, 'index.js.map'), '{}')
  for (const [dependency, of] of Object.entries(dependencies)) {
    await link(
      join(store, id, 'node_modules', dependency),
      join(store, of, 'node_modules', dependency),
    )
  }
  return place
}

async function agent(dependencies: Record<string, string>, more: object = {}): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = Object.fromEntries(Object.keys(dependencies).map((name) => [name, '*']))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: names, ...more }))
  for (const [name, place] of Object.entries(dependencies))
    await link(join(folder, 'node_modules', name), place)
}

it('includes reachable packages, with scoped ones and cycles, and nothing else', async () => {
  await unpack('left@1.0.0', 'left', { '@scope/right': '@scope+right@2.0.0' })
  await unpack('@scope+right@2.0.0', '@scope/right', { left: 'left@1.0.0' })
  await unpack('unused@1.0.0', 'unused')
  await agent({ '@scope/right': join(store, '@scope+right@2.0.0', 'node_modules', '@scope/right') })

  const { entries } = await linkedDependencies(folder, 'app/node_modules')
  const files = entries.filter(({ type }) => type === 'file').map(({ path }) => path)
  expect(files.toSorted()).toEqual([
    'app/node_modules/.pnpm/@scope+right@2.0.0/node_modules/@scope/right/index.js',
    'app/node_modules/.pnpm/@scope+right@2.0.0/node_modules/@scope/right/package.json',
    'app/node_modules/.pnpm/left@1.0.0/node_modules/left/index.js',
    'app/node_modules/.pnpm/left@1.0.0/node_modules/left/package.json',
  ])
  const places = new Set(entries.map(({ path }) => path))
  const links = entries.flatMap((entry) => (entry.type === 'symlink' ? [entry] : []))
  expect(links).toHaveLength(3)
  for (const { path, target } of links)
    expect(places).toContain(posix.join(posix.dirname(path), target))
})

it('reports a dependency that is not installed', async () => {
  await agent({})
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { gone: '*' } }))
  await expect(linkedDependencies(folder, 'app/node_modules')).rejects.toThrow(
    'gone is not installed',
  )
})

it('skips an optional dependency that is not installed', async () => {
  await agent({}, { optionalDependencies: { elsewhere: '*' } })
  expect((await linkedDependencies(folder, 'app/node_modules')).entries).toEqual([])
})

it('rejects packages of the workspace', async () => {
  const sibling = join(root, 'sibling')
  await mkdir(sibling)
  await agent({ sibling })
  await expect(linkedDependencies(folder, 'app/node_modules')).rejects.toThrow(
    'sibling is a package of this workspace',
  )
})

it('says what to do about the layout of Yarn that images cannot have', async () => {
  const place = join(root, 'node_modules', '.store', 'left-npm-1.0.0-abc', 'package')
  await mkdir(place, { recursive: true })
  await agent({ left: place })
  await expect(linkedDependencies(folder, 'app/node_modules')).rejects.toThrow(
    'set nodeLinker: node-modules in .yarnrc.yml',
  )
})
