import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentImageBuilder, LayerCache } from '../src/parts.ts'
import { Uv } from '../src/program/uv.ts'
import { runImage } from './support/run-image.ts'

let directory: string
let uv: Uv
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-python-managers-'))
  const toolsFolder = join(new LayerCache().directory, 'tools')
  uv = await Uv.open({ toolsFolder, progress: () => {} })
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

/** What only one installer writes, and what names the installer or the folder. */
const OF_INSTALLER =
  /__pycache__|\.pth$|_virtualenv\.py$|info\/(RECORD|INSTALLER|REQUESTED|direct_url\.json|uv_.*)$/

/** The packages' files in an environment, with what is in them. */
async function filesOf(environment: string): Promise<Map<string, string>> {
  const [python = ''] = await readdir(join(environment, 'lib'))
  const site = join(environment, 'lib', python, 'site-packages')
  const found = new Map<string, string>()
  for (const entry of await readdir(site, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const name = file.slice(site.length + 1)
    if (entry.isFile() && !OF_INSTALLER.test(name))
      found.set(name, (await readFile(file)).toString('base64'))
  }
  return found
}

const project = (tool: string, backend: string): string => `[project]
name = "managed"
version = "1.0"
requires-python = ">=3.10"
dependencies = ["tabulate (<0.10)", "cffi (<3)"]
${tool}
[build-system]
requires = ["${backend.startsWith('poetry') ? 'poetry-core' : 'hatchling'}"]
build-backend = "${backend}"
`
const sources = {
  'managed/__init__.py': '',
  'agent.py': 'import cffi, managed, tabulate\nprint(tabulate.__version__, managed.__file__)\n',
}

/** The address of the package index that uv uses here. */
async function packageIndex(): Promise<string> {
  const folder = await write('index', { 'pyproject.toml': project('', 'hatchling.build') })
  await uv.run(folder, ['lock'])
  const lock = await readFile(join(folder, 'uv.lock'), 'utf8')
  return /registry = "([^"]+)"/.exec(lock)?.[1] ?? ''
}

it.each([
  {
    manager: 'uv',
    pyproject: async () => project('[dependency-groups]\ndev = ["iniconfig"]', 'hatchling.build'),
    lock: ['lock'],
    install: ['sync', '--locked', '--no-dev'],
  },
  {
    manager: 'poetry',
    pyproject: async () =>
      project(
        '[tool.poetry.group.dev.dependencies]\niniconfig = "*"\n' +
          `[[tool.poetry.source]]\nname = "simple"\nurl = "${await packageIndex()}"\n`,
        'poetry.core.masonry.api',
      ),
    lock: ['tool', 'run', 'poetry', 'lock'],
    install: ['tool', 'run', 'poetry', 'install', '--only', 'main'],
  },
])('has the packages that $manager installs', async ({ manager, pyproject, lock, install }) => {
  const folder = await write(manager, { ...sources, 'pyproject.toml': await pyproject() })
  await uv.run(folder, lock)
  const clean = join(directory, `${manager}-clean`)
  await cp(folder, clean, { recursive: true })
  const { image } = (await AgentImageBuilder.open(folder, {})).assemble('agent')
  const { root, output } = await runImage(image, directory)
  expect(output).toBe('0.9.0 /app/managed/__init__.py\n')

  await uv.run(clean, ['venv', '--python', '3.11', '--no-project', '.venv'])
  await uv.run(clean, install, { VIRTUAL_ENV: join(clean, '.venv') })
  const ours = await filesOf(join(root, 'app/.venv'))
  const theirs = await filesOf(join(clean, '.venv'))
  expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted())
  const different = [...ours].filter(([name, content]) => theirs.get(name) !== content)
  expect(different.map(([name]) => name)).toEqual([])
  expect(existsSync(join(folder, '.venv'))).toBe(false)
  expect([...ours.keys()].some((name) => name.startsWith('iniconfig'))).toBe(false)
})
