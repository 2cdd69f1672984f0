import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from '../progress.ts'
import { runProgram } from '../run-program.ts'
import { keptFolder } from './kept-folder.ts'

/** How to find or bring a program. */
export interface BringOptions {
  /** The folder that keeps programs between builds. */
  readonly cacheFolder: string
  readonly environment: NodeJS.ProcessEnv
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/** A program that npm has as a package. */
export interface NpmProgram {
  readonly name: string
  /** The name of the package. */
  readonly source: string
  /** A version or a range. */
  readonly version: string
  /** Why it is brought. */
  readonly reason: string
}

/** Returns the version of a program that is installed here; undefined if there is none. */
export async function versionHere(
  name: string,
  { environment, signal }: Pick<BringOptions, 'environment' | 'signal'>,
): Promise<string | undefined> {
  try {
    // In another folder: managers start the version that a project names.
    const output = await runProgram(name, ['--version'], {
      folder: tmpdir(),
      environment: { ...environment, COREPACK_ENABLE_NETWORK: '0' },
      signal,
      missing: 'missing',
    })
    return /\d+\.\d+\.\d+\S*/.exec(output)?.[0]
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

/** Brings a program from npm, unless an earlier build has; returns the folder that it is in. */
export async function bringFromNpm(
  { name, source, version, reason }: NpmProgram,
  { cacheFolder, environment, progress, signal }: BringOptions,
): Promise<{ folder: string; version: string }> {
  const place = join(cacheFolder, `${name}-${version}`)
  await keptFolder(place, async (draft) => {
    progress(`bringing ${name} ${version} from npm, because ${reason}`)
    const args = ['install', '--no-audit', '--no-fund', '--no-update-notifier', `--prefix=${draft}`]
    await runProgram('npm', [...args, `${source}@${version}`], {
      folder: draft,
      environment,
      signal,
      missing: `can't run npm, which would bring ${name}; install ${name} ${version}, or npm`,
    })
  })
  const modules = join(place, 'node_modules')
  const text = await readFile(join(modules, source, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as { version: string }
  return { folder: join(modules, '.bin'), version: manifest.version }
}
