import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAndPushAgent } from '../src/index.ts'
import { AgentImageBuilder, type Image } from '../src/parts.ts'
import { unpackImage } from './support/run-image.ts'
import { writeWheel } from './support/write-wheel.ts'

const registry = process.env['SLIPWAY_REGISTRY'] ?? ''
if (registry === '') throw new Error('SLIPWAY_REGISTRY is not set: run through ./dev test')

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-agent-kinds-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return join(directory, folder)
}

/** Unpacks an image and runs its program, as a container runtime would. Returns its output. */
async function run(image: Image): Promise<string> {
  const { root, entrypoint, environment, workingDirectory } = await unpackImage(image, directory)
  const [program = '', ...args] = entrypoint
  const python = ['/app/.venv/bin/python3', '/usr/bin/python3'].find(
    (file) => lstatSync(join(root, file), { throwIfNoEntry: false }) !== undefined,
  )
  const found = { node: '/usr/local/bin/node', python3: python }[program] ?? program
  const files = args.map((file) => `${workingDirectory}/${file}`)
  const { stdout, stderr } = spawnSync('/usr/sbin/chroot', [root, found, ...files], {
    env: { ...environment, PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`
}

it('runs an agent with packages from npm, without "bin" and "files"', async () => {
  const folder = await write('npm-agent', {
    'package.json': JSON.stringify({ main: 'index.js', dependencies: { left: '*' } }),
    'index.js': `console.log(require('left'), require('./lib/own.js'))`,
    'lib/own.js': `module.exports = 'own'`,
    '.env': 'PASSWORD=not-for-images',
    'node_modules/left/package.json': JSON.stringify({ dependencies: { common: '*' } }),
    'node_modules/left/index.js': `module.exports = require('common') + ' for left'`,
    'node_modules/left/node_modules/common/package.json': '{}',
    'node_modules/left/node_modules/common/index.js': `module.exports = 'nested'`,
    'node_modules/common/package.json': '{}',
    'node_modules/common/index.js': `module.exports = 'other'`,
  })
  const { image } = (await AgentImageBuilder.open(folder, {})).assemble('agent')
  expect(await run(image)).toBe('nested for left own\n')
})

it('runs an agent in Python with a requirements file, and pushes it below a path', async () => {
  const folder = await write('Python Agent', {
    'main.py': 'import greeting, sys\nprint(greeting.TEXT, sys.version_info[0])\n',
    'ingest.py': 'import platform\nprint(platform.python_version())\n',
    'astroai.yml': `spec: astro/v1
name: python-agent
agent: {build: &program {context: ., dockerfile: Dockerfile}, port: 8080}
tools:
  same: {container: {build: *program, port: 8081}}
ingestion:
  docs:
    container: {build: {context: ., dockerfile: Dockerfile, target: ingest}}
    trigger: {type: manual}
`,
  })
  const bare = (await AgentImageBuilder.open(folder, {})).assemble('ingest').image
  const version = (await run(bare)).trim()
  // The version of the image counts, not that of this machine.
  const requirement = `./${writeWheel(folder)} ; python_full_version == "${version}"\n`
  await writeFile(join(folder, 'requirements.txt'), requirement)
  const builder = await AgentImageBuilder.open(folder, {})
  expect(await run(builder.assemble('agent').image)).toBe('hello from a package 3\n')
  expect(await run(builder.assemble('ingest').image)).toBe(`${version}\n`)
  expect(() => builder.assemble('other')).toThrow('has no program other: it needs other.py')

  const built = await buildAndPushAgent(folder, { registry: `http://${registry}/team/agents/` })
  const reference = `${registry}/team/agents/python-agent:${built.buildId}`
  expect(built.images.map((image) => [image.reference, image.pushed])).toEqual([
    [reference, true],
    [`${registry}/team/agents/python-agent-ingest:${built.buildId}`, true],
  ])
  expect(built.spec.split(`image: ${reference}`)).toHaveLength(3)
  const path = `team/agents/python-agent/manifests/${built.buildId}`
  const stored = await fetch(`http://${registry}/v2/${path}`)
  expect(stored.headers.get('docker-content-digest')).toBe(built.images[0]?.digest)
})

it('says what a folder without a program lacks', async () => {
  const folder = await write('empty', { 'notes.txt': '' })
  await expect(AgentImageBuilder.open(folder, {})).rejects.toThrow(
    'has no package.json, and none of requirements.txt, pyproject.toml',
  )
  const bare = await write('bare', { 'package.json': '{}' })
  await expect(AgentImageBuilder.open(bare, {})).rejects.toThrow('it needs "bin"')
})
