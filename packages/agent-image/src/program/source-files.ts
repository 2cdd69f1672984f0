import { hostTreeEntries, type Entry } from '../image/entries.ts'

/** Folders that hold installed packages or caches, by their names. */
const NOT_SOURCES: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'venv', 'env'])

/**
 * Returns the files of an agent's folder as entries below `path`: all but installed packages and
 * caches, and names that begin with a dot, such as .git and .env. They belong to root, so
 * containers can't write.
 */
export async function sourceEntries(folder: string, path: string): Promise<Entry[]> {
  return await hostTreeEntries(path, folder, (file) => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    return !name.startsWith('.') && !NOT_SOURCES.has(name)
  })
}
