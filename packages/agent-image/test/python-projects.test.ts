import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentImageBuilder, LayerCache, Uv, type Image } from '../src/parts.ts'
import { runImage } from './support/run-image.ts'
import { writeWheel } from './support/write-wheel.ts'

let directory: string
let uv: Uv
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-python-projects-'))
  uv = await Uv.open({ toolsFolder: join(new LayerCache().directory, 'tools'), progress: () => {} })
  Object.assign(process.env, INDEX)
})
afterAll(async () => {
  withoutIndex()
  await rm(directory, { recursive: true })
})

/** The packages that the test run has brought: there is no network. */
const INDEX = { UV_OFFLINE: '1', UV_FIND_LINKS: process.env['SLIPWAY_PYTHON_PACKAGES'] }

function withoutIndex(): void {
  for (const name of Object.keys(INDEX)) delete process.env[name]
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  // Files with this ending decide what is installed, so nothing comes from earlier runs.
  const unique = { 'run.txt': basename(directory) }
  for (const [path, content] of Object.entries({ ...unique, ...files })) {
    const file = join(directory, folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return join(directory, folder)
}

async function build(folder: string, said: string[] = []): Promise<Image> {
  const progress = (line: string): void => void said.push(line)
  return (await AgentImageBuilder.open(folder, { progress })).assemble('agent').image
}

const digests = ({ layers }: Image) => layers.map(({ diffId }) => diffId)
/** The hash of tabulate's wheel. */
const HASH = '024ca478df22e9340661486f85298cff5f6dcdba14f3813e8830015b9ed1948f'
const hatch = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'

it('has the packages of requirements.txt as a virtual environment has them', async () => {
  const folder = await write('requirements', {
    'requirements.txt': '-e ./lib\n-r more.txt\n',
    // It shadows the standard library if its folder comes first.
    'more.txt': `asyncio==3.4.3\nsetuptools==80.9.0\ntabulate==0.9.0 --hash=sha256:${HASH}\n`,
    'lib/pyproject.toml': `[project]\nname = "mylib"\nversion = "1.0"\n${hatch}`,
    'lib/src/mylib/__init__.py': 'TEXT = "from the project"\n',
    'main.py': `
import asyncio, ctypes, distutils.version, shutil, subprocess, sys
import importlib.metadata, json, mylib
ctypes.CDLL('libstdc++.so.6')  # Native wheels expect it of every system.
print(asyncio.run(asyncio.sleep(0, 'standard library first')))
print(distutils.version.__file__, shutil.which('tabulate'))
print(subprocess.run(['tabulate', '--help'], capture_output=True).returncode)
print(mylib.TEXT, mylib.__file__, sys.prefix)
print(json.loads(importlib.metadata.distribution('mylib').read_text('direct_url.json'))['url'])
`,
  })
  const { output, root } = await runImage(await build(folder), directory)
  expect(output).toBe(
    `standard library first
/app/.venv/lib/python3.11/site-packages/setuptools/_distutils/version.py /app/.venv/bin/tabulate
0
from the project /app/lib/src/mylib/__init__.py /app/.venv
file:///app/lib
`.replaceAll('python3.11', await libraryOf(root)),
  )
  // Scripts, links to sources and records name the image, not the folder of the build.
  const named = ['-rIlE', `${directory}|/(slipway-)?staging-`, join(root, 'app')]
  expect(spawnSync('grep', named, { encoding: 'utf8' }).stdout).toBe('')
})

async function libraryOf(root: string): Promise<string> {
  const [name] = await readdir(join(root, 'app/.venv/lib'))
  if (name === undefined) throw new Error('the environment has no Python')
  return name
}

it('has what uv.lock says, and starts the script of the project', async () => {
  const folder = await write('uv-project', {
    'pyproject.toml':
      '[project]\nname = "uv-project"\nversion = "1.0"\nrequires-python = ">=3.10"\n' +
      'dependencies = ["tabulate<0.10"]\n[project.scripts]\nuv-project = "served:main"\n' +
      `[dependency-groups]\ndev = ["iniconfig"]\n${hatch}` +
      '[tool.hatch.build.targets.wheel]\npackages = ["src/served"]\n',
    'src/served/__init__.py':
      'import importlib.util, tabulate\n' +
      'def main(): print(tabulate.__version__, importlib.util.find_spec("iniconfig"))\n',
  })
  const said: string[] = []
  const unlocked = await runImage(await build(folder, said), directory)
  expect(unlocked.output).toBe('0.9.0 None\n')
  expect(said.join('\n')).toContain('warning: there is no lockfile')
  expect(said.at(-1)).toContain('agent starts /app/.venv/bin/uv-project: [project.scripts] has')

  await uv.run(folder, ['lock', '--quiet'])
  const first = await build(folder)
  expect((await runImage(first, directory)).output).toBe('0.9.0 None\n')
  // The layers are in the cache, so nothing is installed, although no manager would work.
  const path = process.env['PATH']
  const broken = await write('broken', {
    uv: `#!/bin/sh\n[ "$1" = --version ] || exit 9\necho 'uv ${uv.version}'\n`,
  })
  await chmod(join(broken, 'uv'), 0o755)
  process.env['PATH'] = `${broken}${delimiter}${path}`
  try {
    expect(digests(await build(folder))).toEqual(digests(first))
  } finally {
    process.env['PATH'] = path
  }

  // An own package changes with the sources; the packages of others stay.
  await write('uv-project', { 'src/served/__init__.py': 'def main(): print("changed")\n' })
  const second = await build(folder)
  expect((await runImage(second, directory)).output).toBe('changed\n')
  expect(digests(second).slice(0, 2)).toEqual(digests(first).slice(0, 2))
  await write('uv-project', { 'uv.lock': 'version = 1\nrequires-python = ">=3.10"\n' })
  await expect(build(folder)).rejects.toThrow('run uv lock')
})

it('has the members of a uv workspace that the agent needs', async () => {
  const member = (name: string, dependencies: string, more = ''): string =>
    `[project]\nname = "${name}"\nversion = "1.0"\nrequires-python = ">=3.10"\n` +
    `dependencies = [${dependencies}]\n${hatch}${more}`
  const root = await write('python-workspace', {
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["agents/*", "libs/*"]\n',
    'agents/first/pyproject.toml': member(
      'first',
      '"shared.lib"',
      '[tool.uv.sources]\nshared-lib = {workspace = true}\n' +
        '[tool.hatch.build.targets.wheel]\npackages = ["main.py"]\n',
    ),
    'agents/first/main.py':
      'import os, shared_lib, shutil\n' +
      'print(shared_lib.text(), os.getcwd(), os.path.exists("/workspace/libs/other"))\n',
    'libs/shared/pyproject.toml': member('Shared_Lib', '"tabulate<0.10"'),
    'libs/shared/src/shared_lib/__init__.py':
      'import tabulate\ndef text(): return f"{__file__} {tabulate.__version__}"\n',
    'libs/other/pyproject.toml': member('other', '"iniconfig"'),
    'libs/other/src/other/__init__.py': '',
  })
  await uv.run(root, ['lock', '--quiet'])
  await write('python-workspace', { '.python-version': '3.99\n' })
  const said: string[] = []
  const { output } = await runImage(await build(join(root, 'agents/first'), said), directory)
  expect(output).toBe(
    '/workspace/libs/shared/src/shared_lib/__init__.py 0.9.0 /workspace/agents/first False\n',
  )
  expect(said.join('\n')).toContain(`those of uv.lock of the workspace ${root}`)
  expect(said.join('\n')).toContain('.python-version has 3.99')
})

it('has what the build of an own package makes among its sources', async () => {
  const folder = await write('generated', {
    '.gitignore': '_made.py\n',
    'pyproject.toml':
      `[project]\nname = "generated"\nversion = "1.0"\n${hatch}` +
      '[tool.hatch.build.hooks.custom]\n',
    'hatch_build.py': `
import os
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        os.makedirs('build/left', exist_ok=True)
        for name in ('generated/_made.py', 'build/left/_made.py'):
            with open(name, 'w') as file:
                file.write('TEXT = "made"\\n')
`,
    'generated/__init__.py': 'from ._made import TEXT\n',
    'main.py': 'import generated, os\nprint(generated.TEXT, os.path.exists("build"))\n',
  })
  expect((await runImage(await build(folder), directory)).output).toBe('made False\n')
})

it('says what does not fit before anything is installed', async () => {
  const project = '[project]\nname = "a"\nversion = "1"\n'
  const newer = await write('newer', {
    'main.py': '',
    'pyproject.toml': `${project}requires-python = ">=3.99"\n`,
  })
  await expect(build(newer)).rejects.toThrow(/requires-python = ">=3.99", but the base packages/)
  const script = await write('script', {
    'pyproject.toml':
      `${project}[project.scripts]\nagent = "gone.main:main"\n${hatch}` +
      '[tool.hatch.build.targets.wheel]\npackages = ["here"]\n',
    'here/__init__.py': '',
  })
  await expect(build(script)).rejects.toThrow('has the module gone.main of gone.main:main')
  await write('script', {
    'pyproject.toml':
      `${project}[project.scripts]\nagent = "here:gone"\n${hatch}` +
      '[tool.hatch.build.targets.wheel]\npackages = ["here"]\n',
    'here/__init__.py': 'def run(): pass\n',
  })
  await expect(build(script)).rejects.toThrow("here doesn't define gone (it has run)")
  const bare = await write('bare', {
    'pyproject.toml': `${project}[project.scripts]\nagent = "here:main"\n`,
    'here.py': 'def main(): pass',
  })
  await expect(build(bare)).rejects.toThrow('add a [build-system] to pyproject.toml')
  const served = await write('served', { 'requirements.txt': '', 'server.py': 'api = FastAPI()\n' })
  await expect(build(served)).rejects.toThrow('command: uvicorn server:api --host 0.0.0.0')
  await write('served', { 'requirements.txt': 'no-such-package-4711\n' })
  const first = { target: 'agent', start: {} }
  await expect(AgentImageBuilder.open(served, { first })).rejects.toThrow('command: uvicorn')
})

it('takes packages from where the settings of pip say', async () => {
  const folder = await write('settings', {
    'requirements.txt': 'greeting\n',
    'main.py': 'import greeting\nprint(greeting.TEXT)\n',
  })
  const wheels = await write('wheels', {})
  writeWheel(wheels)
  const settings = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels }
  withoutIndex()
  Object.assign(process.env, settings)
  try {
    const { output } = await runImage(await build(folder), directory)
    expect(output).toBe('hello from a package\n')
    await write('settings', { 'requirements.txt': 'tabulate\n' })
    await expect(build(folder)).rejects.toThrow('tabulate')
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name]
    Object.assign(process.env, INDEX)
  }
})
