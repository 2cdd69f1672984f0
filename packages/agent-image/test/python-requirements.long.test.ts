import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { AgentImageBuilder } from '../src/parts.ts'
import { scratch, type Scratch } from './support/images.ts'
import { servePythonIndex } from './support/python-index.ts'
import { runImage, type ImageRun } from './support/run-image.ts'
import { writeWheel } from './support/write-wheel.ts'

let place: Scratch
beforeAll(async () => {
  place = await scratch()
})
afterAll(async () => await place[Symbol.asyncDispose]())

const changed = new Map<string, string | undefined>()

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!changed.has(name)) changed.set(name, process.env[name])
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

// There is no network, but the packages that the test run has brought.
beforeEach(() => setVariables({ UV_FIND_LINKS: process.env['SLIPWAY_PYTHON_PACKAGES'] }))
afterEach(() => {
  setVariables(Object.fromEntries(changed))
  changed.clear()
})

async function write(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  // Files with this ending decide what is installed, so nothing comes from earlier runs.
  for (const [path, content] of Object.entries({ 'run.txt': place.folder, ...files })) {
    const file = join(place.folder, name, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return join(place.folder, name)
}

async function run(folder: string, said: string[] = []): Promise<ImageRun> {
  const progress = (line: string): void => void said.push(line)
  const builder = await AgentImageBuilder.open(folder, { progress })
  return await runImage(builder.assemble('agent').image, place.folder)
}

const library = (name: string): Readonly<Record<string, string>> => ({
  'pyproject.toml':
    `[project]\nname = "${name}"\nversion = "1.0"\n` +
    '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
  [`src/${name}/__init__.py`]: 'TEXT = "from a repository"\n',
})

it('installs a repository that is named as editable', async () => {
  setVariables({ UV_OFFLINE: '1' })
  const repository = await write('repository', library('cloned'))
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'First')
  const folder = await write('editable', {
    'requirements.txt': '-r more.txt\n',
    'more.txt': `-e git+file://${repository}#egg=cloned\n`,
    'main.py': 'import cloned\nprint(cloned.TEXT)\n',
  })
  const said: string[] = []
  expect((await run(folder, said)).output).toBe('from a repository\n')
  expect(said.join('\n')).toContain('warning: more.txt has -e before a repository')
})

it('takes the login of an index from the variables that a requirement file names', async () => {
  const wheels = await write('wheels', {})
  writeWheel(wheels)
  await using index = await servePythonIndex(wheels, 'reader:index-password')
  const folder = await write('variables', {
    'requirements.txt': '-r more.txt\ngreeting\n',
    'more.txt': `--index-url http://reader:\${INDEX_PASSWORD}@${index.address}/simple/\n`,
    'main.py': 'import greeting, os\nprint(greeting.TEXT, os.environ.get("INDEX_PASSWORD"))\n',
  })
  await expect(run(folder)).rejects.toThrow('greeting was not found')
  setVariables({ INDEX_PASSWORD: 'index-password' })
  const { root, output } = await run(folder)
  expect(output).toBe('hello from a package None\n')
  const named = ['-rl', 'index-password', join(root, 'app')]
  expect(spawnSync('grep', named, { encoding: 'utf8' }).stdout).toBe('')
})

it('takes the login of an index from pip.conf, and packs it nowhere', async () => {
  const wheels = await write('wheels', {})
  writeWheel(wheels)
  await using index = await servePythonIndex(wheels, 'reader:conf-password')
  const settings = await write('settings', {
    'pip.conf': `[global]\nindex-url = http://reader:conf-password@${index.address}/simple/\n`,
  })
  setVariables({ PIP_CONFIG_FILE: join(settings, 'pip.conf') })
  const folder = await write('configured', {
    'requirements.txt': 'greeting\n',
    'main.py': 'import greeting\nprint(greeting.TEXT)\n',
  })
  const builder = await AgentImageBuilder.open(folder, {})
  const { image } = builder.assemble('agent')
  if (!('bytes' in image.config.source)) throw new Error('a configuration is in memory')
  expect(image.config.source.bytes.toString()).not.toContain('conf-password')
  const { root, output } = await runImage(image, place.folder)
  expect(output).toBe('hello from a package\n')
  const named = ['-rl', 'conf-password', join(root, 'app')]
  expect(spawnSync('grep', named, { encoding: 'utf8' }).stdout).toBe('')
})

it('names the folder outside of the project that a package is in', async () => {
  setVariables({ UV_OFFLINE: '1' })
  const outside = await write('shared', library('shared'))
  const main = { 'main.py': 'import shared\n' }
  const relative = await write('relative', { 'requirements.txt': '-e ../shared\n', ...main })
  await expect(run(relative)).rejects.toThrow(
    `requirements.txt names ../shared, which is outside of ${relative}; move it into the folder`,
  )
  const absolute = await write('absolute', { 'requirements.txt': `${outside}\n`, ...main })
  await expect(run(absolute)).rejects.toThrow(
    `the package shared is ${outside}, which is outside of ${absolute}; move it into the folder`,
  )
})
