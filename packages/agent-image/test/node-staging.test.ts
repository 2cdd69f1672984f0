import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostTreeEntries } from '../src/parts.ts'
import { readNodeProject } from '../src/program/node-project.ts'
import { scratch, type Scratch } from './support/images.ts'
import { build, PACKAGES, write } from './support/node-agents.ts'
import { startNpmRegistry, type NpmRegistry } from './support/npm-registry.ts'

const run = promisify(execFile)

let registry: NpmRegistry
let home: Scratch
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  registry = await startNpmRegistry(PACKAGES)
  home = await scratch()
  // pnpm takes a login with variables only from the user's own settings.
  await writeFile(join(home.folder, '.npmrc'), npmrc())
  environment = {
    PATH: process.env['PATH'],
    HOME: home.folder,
    npm_config_cache: join(home.folder, 'npm'),
    XDG_DATA_HOME: join(home.folder, 'data'),
    XDG_CACHE_HOME: join(home.folder, 'cache'),
    REGISTRY_LOGIN: registry.token,
    OPENAI_API_KEY: 'not-for-scripts',
  }
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
})

/** The settings of a private registry, whose login is in the environment. */
function npmrc(): string {
  const { url } = registry
  return `registry=${url}\n${url.slice('http:'.length)}:_authToken=\${REGISTRY_LOGIN}\n`
}

/** What a manager installs in an empty folder. */
async function cleanInstall(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<string[]> {
  await run(program, [...args], { cwd: folder, env: environment })
  const entries = await hostTreeEntries('node_modules', join(folder, 'node_modules'))
  return entries.flatMap(({ type, path }) => (type === 'directory' ? [] : [path])).toSorted()
}

it('installs what npm installs, with the login of the registry and no other', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  await write(folder, {
    'package.json': {
      main: 'index.js',
      dependencies: { one: '1.1.0' },
      devDependencies: { compiler: '*' },
    },
    'index.js': 'console.log(require("one"))',
    '.npmrc': npmrc(),
  })
  await run('npm', ['install', '--package-lock-only'], { cwd: folder, env: environment })
  const cache = join(place.folder, 'cache')
  const first = await build(folder, cache, environment)
  const clean = join(place.folder, 'clean')
  await cp(folder, clean, { recursive: true })
  const expected = await cleanInstall(clean, 'npm', ['ci', '--omit=dev'])
  const modules = [...first.tree.keys()].filter((path) => path.startsWith('app/node_modules/'))
  expect(modules.map((path) => path.slice('app/'.length)).toSorted()).toEqual(expected)
  expect(expected).toContain('node_modules/.bin/one')

  expect(first.tree.get('app/node_modules/one/types.d.ts')).toBe('export {}')
  const seen = first.tree.get('app/node_modules/two/seen.json')
  expect(seen).toContain(registry.token)
  expect(seen).not.toContain('not-for-scripts')
  expect([...first.tree.keys()].filter((path) => path.endsWith('.npmrc'))).toEqual([])

  // Neither the manager nor the registry is needed again.
  const before = registry.requests.length
  await write(folder, { 'index.js': 'console.log(require("one"), 2)' })
  const second = await build(folder, cache, environment)
  expect(second.layers[0]?.digest).toBe(first.layers[0]?.digest)
  expect(second.tree.get('app/index.js')).toContain('2')
  expect([second.said, registry.requests.length]).toEqual([
    ['left out, because they may hold secrets: .npmrc'],
    before,
  ])
})

it('builds with what development needs, which then goes', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  await write(folder, {
    'package.json': {
      main: 'dist/index.js',
      scripts: { build: 'compile', prepare: 'compile', postinstall: 'patch' },
      dependencies: { one: '1.0.0', patcher: '1.0.0' },
      devDependencies: { compiler: '*' },
    },
    'src/index.js': 'console.log(require("one"))',
    'dist/index.js': 'an old build of this machine',
    '.gitignore': 'dist\nnode_modules\n',
    '.npmrc': npmrc(),
  })
  await run('git', ['init', '--quiet'], { cwd: folder })
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: folder,
    env: environment,
  })
  const cache = join(place.folder, 'cache')
  const { tree, layers } = await build(folder, cache, environment)
  expect(tree.get('app/dist/index.js')).toBe('console.log(require("one"))')
  const packages = [...tree.keys()].filter((path) => path.startsWith('app/node_modules'))
  expect(packages.toSorted()).toEqual([
    'app/node_modules/.bin/patch',
    'app/node_modules/.generated/index.js',
    'app/node_modules/.package-lock.json',
    'app/node_modules/one/index.js',
    'app/node_modules/one/package.json',
    'app/node_modules/patcher/package.json',
    'app/node_modules/patcher/patch.js',
  ])
  expect(tree.get('app/node_modules/one/index.js')).toContain('patched')
  expect(JSON.parse(tree.get('app/package.json') ?? '')).toHaveProperty('scripts.prepare')
  const again = await build(folder, cache, environment)
  expect([again.said, again.layers.map(({ digest }) => digest)]).toEqual([
    [],
    layers.map(({ digest }) => digest),
  ])
})

it.each(['npm', 'pnpm'])('takes packages of a workspace with %s', async (manager) => {
  await using place = await scratch()
  const root = join(place.folder, 'repository')
  const shared = manager === 'npm' ? '1.0.0' : 'workspace:*'
  await write(root, {
    'package.json': {
      name: 'root',
      private: true,
      workspaces: ['apps/*', 'packages/*', '!packages/out'],
    },
    ...(manager === 'pnpm' && {
      'pnpm-workspace.yaml':
        'packages: [apps/*, packages/*, "!packages/out"]\nallowBuilds: { two: false }\n',
    }),
    'apps/agent/package.json': {
      name: 'agent',
      main: 'main.ts',
      dependencies: { shared, one: '1.0.0' },
    },
    'apps/agent/main.ts': 'import { text } from "shared"; console.log(text)',
    'apps/other/package.json': { name: 'other', dependencies: { two: '2.0.0' } },
    'packages/shared/package.json': {
      name: 'shared',
      version: '1.0.0',
      type: 'module',
      exports: './index.ts',
      dependencies: { one: '1.1.0' },
    },
    'packages/shared/index.ts': 'import one from "one"; export const text: string = one',
    'packages/out/package.json': { name: 'out' },
  })
  const lock =
    manager === 'npm' ? ['install', '--package-lock-only'] : ['install', '--lockfile-only']
  await run(manager, lock, { cwd: root, env: environment })
  const { tree, path } = await build(
    join(root, 'apps', 'agent'),
    join(place.folder, 'cache'),
    environment,
  )
  expect([path, tree.get('app')]).toEqual(['workspace/apps/agent', '-> workspace/apps/agent'])
  // The image runs: its files are those of a program.
  const unpacked = join(place.folder, 'image')
  for (const [file, content] of tree) {
    await mkdir(dirname(join(unpacked, file)), { recursive: true })
    if (!content.startsWith('-> ')) await writeFile(join(unpacked, file), content)
  }
  for (const [file, content] of tree)
    if (content.startsWith('-> ')) await run('ln', ['-s', content.slice(3), join(unpacked, file)])
  const { stdout } = await run(process.execPath, ['main.ts'], { cwd: join(unpacked, 'app') })
  expect(stdout).toBe('two\n')
  expect([...tree.keys()].filter((file) => file.includes('apps/other/'))).toEqual([])
})

it('takes what is installed if there is no network, and says so', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  await write(folder, {
    'package.json': { main: 'index.js', dependencies: { one: '1.0.0' } },
    'index.js': 'console.log(require("one"))',
    '.npmrc': npmrc(),
  })
  await run('npm', ['install'], { cwd: folder, env: environment })
  // No program listens on port 1.
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8')
  const elsewhere = 'http://127.0.0.1:1/'
  await write(folder, {
    '.npmrc': `registry=${elsewhere}\n`,
    'package-lock.json': lock.replaceAll(registry.url, elsewhere),
  })
  await rm(join(home.folder, 'npm'), { recursive: true })
  const { tree, said } = await build(folder, join(place.folder, 'cache'), environment)
  expect(said.join('\n')).toContain("npm can't reach the registry; the image gets node_modules")
  expect(tree.get('app/node_modules/one/index.js')).toBe('module.exports = "old"')
})

it('installs a version that npm did not know before', async () => {
  await using place = await scratch()
  const folder = join(place.folder, 'agent')
  await registry.publish({ manifest: { name: 'late', version: '1.0.0' } })
  await write(folder, {
    'package.json': { main: 'index.js', dependencies: { late: '^1.0.0' } },
    'index.js': '',
    '.npmrc': `${npmrc()}omit-lockfile-registry-resolved=true\n`,
  })
  const lock = async (env: NodeJS.ProcessEnv) =>
    await run('npm', ['update', '--package-lock-only'], { cwd: folder, env })
  await lock(environment)
  const cache = join(place.folder, 'cache')
  await build(folder, cache, environment)
  await registry.publish({ manifest: { name: 'late', version: '1.1.0' } })
  // As on another machine.
  await lock({ ...environment, npm_config_cache: join(place.folder, 'npm') })
  const { tree } = await build(folder, cache, environment)
  expect(tree.get('app/node_modules/late/package.json')).toContain('1.1.0')
})

it('asks for the manager if two have lockfiles', async () => {
  await using place = await scratch()
  await write(place.folder, {
    'package.json': { main: 'a.js' },
    'yarn.lock': '',
    'package-lock.json': '{}',
  })
  await expect(readNodeProject(place.folder)).rejects.toThrow(
    /has package-lock.json and yarn.lock; .*"packageManager": "npm@<version>"/,
  )
  await write(place.folder, {
    'package.json': { main: 'a.js', packageManager: 'yarn@1.22.22+sha512.ab' },
  })
  expect(await readNodeProject(place.folder)).toMatchObject({
    manager: 'yarn',
    managerVersion: '1.22.22',
    lockfile: 'yarn.lock',
  })
})
