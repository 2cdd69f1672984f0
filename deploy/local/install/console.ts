import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

import { withFileLock } from '../process/file-lock.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'

/** The folders and files that the console is built from. None has links to other packages. */
const FOLDERS = [
  'apps/console/src',
  'apps/console/scripts',
  'packages/client/src',
  'packages/words/src',
]
const FILES = ['apps/console/index.html', 'apps/console/package.json', 'pnpm-lock.yaml']

/**
 * Builds the console unless it is in the user's cache. Returns the folder with its page and files.
 */
export async function builtConsole(
  place: Pick<Stack, 'checkout' | 'cacheDir' | 'owner'>,
  progress: (line: string) => void,
): Promise<string> {
  const { checkout, cacheDir } = place
  const parent = join(cacheDir, 'console')
  const folder = join(parent, sourcesHash(checkout))
  if (existsSync(folder)) return folder
  ensureDirectory(place, parent, 0o755)
  const waiting = () => progress('waiting for another run to build the console')
  await withFileLock(join(parent, '.lock'), waiting, async () => {
    if (existsSync(folder)) return
    progress('building the console, because its sources are new')
    const partial = join(parent, '.building')
    rmSync(partial, { recursive: true, force: true })
    const { buildConsole } = await import('@slipway/console/build')
    await buildConsole(partial)
    renameSync(partial, folder)
  })
  return folder
}

function sourcesHash(checkout: string): string {
  const hash = createHash('sha256')
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => relative(checkout, join(entry.parentPath, entry.name))),
  )
  for (const file of [...sources, ...FILES].toSorted())
    hash.update(JSON.stringify([file, readFileSync(join(checkout, file), 'base64')]))
  return hash.digest('hex').slice(0, 12)
}
