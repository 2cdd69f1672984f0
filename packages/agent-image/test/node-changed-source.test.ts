import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratch, type Scratch } from './support/images.ts'
import { build, PACKAGES, write } from './support/node-agents.ts'
import { startNpmRegistry, type NpmRegistry } from './support/npm-registry.ts'

let registry: NpmRegistry
let place: Scratch
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  registry = await startNpmRegistry(PACKAGES)
  place = await scratch()
  const { PATH } = process.env
  const npm = join(place.folder, 'npm')
  environment = { PATH, HOME: place.folder, npm_config_cache: npm, LOGIN: registry.token }
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

it('runs only the build script if a source has changed', async () => {
  const { url } = registry
  const folder = join(place.folder, 'agent')
  const cache = join(place.folder, 'cache')
  await write(folder, {
    'package.json': {
      main: 'dist/index.js',
      scripts: { build: 'copy' },
      dependencies: { one: '1.0.0' },
      devDependencies: { copier: '1.0.0' },
    },
    'src/index.js': 'require("./gone.js")',
    'src/gone.js': '',
    'dist/index.js': 'an old build of this machine',
    'notes/a.txt': '',
    // It is about what the build gets, as for Dockerfiles.
    '.dockerignore': 'dist\nnotes\n',
    '.npmrc': `registry=${url}\n${url.slice('http:'.length)}:_authToken=\${LOGIN}\n`,
  })
  const lock = ['install', '--package-lock-only']
  await promisify(execFile)('npm', lock, { cwd: folder, env: environment })
  const first = await build(folder, cache, environment)
  expect(first.said.join('\n')).toContain('installing what the build needs')
  expect(first.tree.has('app/dist/gone.js')).toBe(true)
  expect(first.tree.get('app/dist/index.js')).toBe('require("./gone.js")')
  expect(first.tree.has('app/notes/a.txt')).toBe(false)
  const requests = registry.requests.length

  await write(folder, { 'src/index.js': 'require("one")' })
  await rm(join(folder, 'src/gone.js'))
  const second = await build(folder, cache, environment)
  expect(second.said.filter((line) => !line.startsWith('left out'))).toEqual([
    'running the build script of .',
  ])
  expect(registry.requests.length).toBe(requests)
  expect(second.layers[0]?.digest).toBe(first.layers[0]?.digest)
  // Nothing of the first build is in the second one.
  expect([...second.tree.keys()].filter((path) => path.startsWith('app/dist/')).toSorted()).toEqual(
    ['app/dist/index.js', 'app/dist/seen.txt'],
  )
  expect(second.tree.get('app/dist/seen.txt')).toBe('false')

  // A build that changes what is installed doesn't give it to the next one.
  const changes = 'copy && echo changed >> node_modules/copier/copy.js'
  const ofPackage = { main: 'dist/index.js', dependencies: { one: '1.0.0' } }
  const devDependencies = { copier: '1.0.0' }
  await write(folder, {
    'package.json': { ...ofPackage, scripts: { build: changes }, devDependencies },
  })
  await build(folder, cache, environment)
  await write(folder, { 'src/index.js': 'require("one").again' })
  const last = await build(folder, cache, environment)
  expect(last.said).toContain('running the build script of .')
  expect(last.said.join('\n')).toContain('installing what the build needs')
  expect(last.tree.get('app/dist/index.js')).toContain('again')
})
