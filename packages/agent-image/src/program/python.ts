import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBase } from '../base/base.ts'
import { hostTreeEntries } from '../image/entries.ts'
import { APPLICATION_PATH } from './application.ts'
import { installRequirements } from './pip.ts'
import type { Program, ProgramOptions, StartCommand } from './program.ts'
import { sourceTree } from './source-files.ts'
import { requireStartFile } from './start-file.ts'

const PACKAGES_PATH = `${APPLICATION_PATH}/.packages`
/** Caches, scripts that start with this machine's Python, and files with paths of this machine. */
const NOT_RUN = /(^|\/)__pycache__(\/|$)|^bin(\/|$)|\.dist-info\/(RECORD|direct_url\.json)$/

/**
 * Builds the layers of the Python agent in a folder: a base with Python, the packages of its
 * requirements.txt, which pip installs, and the folder itself.
 */
export async function pythonProgram(folder: string, options: ProgramOptions): Promise<Program> {
  const { cache, progress, signal, platform } = options
  const base = await openBase('python', cache, options)
  const layers = [...base.layers]
  if (existsSync(join(folder, 'requirements.txt'))) {
    const { version } = base
    if (version === undefined)
      throw new Error('the base has no PYTHON_VERSION, so pip cannot install packages for it')
    progress(`installing requirements.txt for Python ${version}`)
    const target = await mkdtemp(join(tmpdir(), 'slipway-python-'))
    try {
      const onLine = options.onOutput
      await installRequirements({ folder, target, version, platform, signal, onLine })
      const entries = await hostTreeEntries(PACKAGES_PATH, target, (file) => !NOT_RUN.test(file))
      layers.push(await cache.layer(entries))
    } finally {
      await rm(target, { recursive: true, force: true })
    }
  }
  signal?.throwIfAborted()
  const sources = await sourceTree(folder, APPLICATION_PATH, [], { progress, signal })
  layers.push(await cache.layer(sources.entries))
  return {
    layers,
    startOf(target) {
      const start = startOf(folder, target, base.environment)
      requireStartFile(sources, APPLICATION_PATH, start.entrypoint[1] ?? '', 'the image')
      return start
    },
  }
}

function startOf(
  folder: string,
  target: string,
  environment: Readonly<Record<string, string>>,
): StartCommand {
  const candidates = [`${target}.py`, ...(target === 'agent' ? ['main.py', 'app.py'] : [])]
  const program = candidates
    .flatMap((name) => [name, `src/${name}`])
    .find((name) => existsSync(join(folder, name)))
  if (program === undefined)
    throw new Error(`${folder} has no program ${target}: it needs ${candidates.join(' or ')}`)
  return {
    entrypoint: ['python3', program],
    environment: { ...environment, PYTHONPATH: `/${PACKAGES_PATH}`, PYTHONUNBUFFERED: '1' },
    workingDirectory: `/${APPLICATION_PATH}`,
  }
}
