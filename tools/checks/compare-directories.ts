import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the relative paths of files that differ, or that exist in only one of two directories.
 */
export async function compareDirectories(left: string, right: string): Promise<string[]> {
  const [leftFiles, rightFiles] = await Promise.all([filesIn(left), filesIn(right)])
  const all = [...new Set([...leftFiles, ...rightFiles])].toSorted()
  const differing = await Promise.all(
    all.map(async (path) => {
      if (!leftFiles.has(path) || !rightFiles.has(path)) return [path]
      const [a, b] = await Promise.all([readFile(join(left, path)), readFile(join(right, path))])
      return a.equals(b) ? [] : [path]
    }),
  )
  return differing.flat()
}

async function filesIn(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Set(paths.map((path) => path.slice(directory.length + 1)))
}
