import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files, by their path below both, that only one of two directories has or that differ. */
export async function compareDirectories(one: string, other: string): Promise<string[]> {
  const [ones, others] = await Promise.all([files(one), files(other)])
  const all = [...new Set([...ones, ...others])].toSorted()
  const different = await Promise.all(
    all.map(async (path) => {
      if (!ones.has(path) || !others.has(path)) return [path]
      const [a, b] = await Promise.all([readFile(join(one, path)), readFile(join(other, path))])
      return a.equals(b) ? [] : [path]
    }),
  )
  return different.flat()
}

async function files(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Set(found.map((path) => path.slice(directory.length + 1)))
}
