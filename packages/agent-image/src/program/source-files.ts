import type { Entry } from '../image/entries.ts'
import type { Progress } from '../progress.ts'
import { readSourceTree, secretsLine } from './source-tree.ts'

/** Folders that hold installed packages or caches, by their names. */
const NOT_SOURCES: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'venv', 'env'])

/**
 * Returns the files of an agent's folder as entries below `path`: all but installed packages and
 * caches, and names that begin with a dot, such as .git and .env.
 */
export async function sourceEntries(
  folder: string,
  path: string,
  progress: Progress,
): Promise<readonly Entry[]> {
  const { entries, secrets } = await readSourceTree(folder, path, [''], (file) => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    return !name.startsWith('.') && !NOT_SOURCES.has(name)
  })
  const line = secretsLine(secrets)
  if (line !== undefined) progress(line)
  return entries
}
