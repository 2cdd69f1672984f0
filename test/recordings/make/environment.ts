import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

import { runProgram } from './run-program.ts'
import type { Sender } from './sender.ts'

/** Where the programs of a sender run, with the packages they need. */
export interface Environment {
  /** The folder with the packages. It changes with their versions. */
  readonly folder: string
  /** The folders of this machine that stack traces may name, longest first. */
  readonly folders: readonly string[]
  /** What runs a program. */
  readonly command: string
}

/**
 * Installs the packages of a sender into the cache unless they are there: those in the
 * requirements.txt or the package.json of its folder, in the versions that they name.
 */
export async function prepareEnvironment(
  { name, folder, runtime }: Sender,
  cache: string,
): Promise<Environment> {
  const list = join(folder, runtime === 'python' ? 'requirements.txt' : 'package.json')
  const hash = createHash('sha256').update(readFileSync(list)).digest('hex').slice(0, 12)
  const target = join(cache, `${name}-${hash}`)
  // A virtual environment has its path in its files, so it can't be moved to where it belongs.
  const isReady = join(target, 'ready')
  if (!existsSync(isReady)) {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    if (runtime === 'python') await installPython(target, list)
    else await installNode(target, list)
    mkdirSync(`${isReady}.partial`)
    renameSync(`${isReady}.partial`, isReady)
  }
  const home =
    runtime === 'python'
      ? /^home = (.+)\/bin$/m.exec(readFileSync(join(target, 'pyvenv.cfg'), 'utf8'))?.[1]
      : undefined
  const named = [target, ...(home === undefined ? [] : [home])]
  // Python names some files by the paths that links lead to.
  const folders = [...new Set([...named, ...named.map((folder) => realpathSync(folder))])]
  const command = runtime === 'python' ? join(target, 'bin/python') : process.execPath
  return { folder: target, folders: folders.toSorted((a, b) => b.length - a.length), command }
}

async function installPython(target: string, requirements: string): Promise<void> {
  await runProgram(['python3', '-m', 'venv', target])
  const pip = [
    join(target, 'bin/python'),
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-compile',
    '--no-deps',
  ]
  await runProgram([...pip, '--disable-pip-version-check', '-r', requirements])
}

async function installNode(target: string, manifest: string): Promise<void> {
  cpSync(manifest, join(target, 'package.json'))
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  await runProgram(['npm', 'install', '--ignore-scripts', ...quiet], { cwd: target })
}
