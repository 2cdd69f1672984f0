import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const maxLines = 400
const sources = '{dev,*.ts,.ci/*,{packages,services,deploy,examples,test}/**/*.{ts,sh,go,yml,yaml}}'
const ignored = new Set(['node_modules', '.slipway', 'gen', 'dist'])

/** Files of more than 400 lines: split them. */
export async function largeFiles(checkout: string): Promise<string | undefined> {
  const found: string[] = []
  for await (const path of glob(sources, {
    cwd: checkout,
    exclude: (entry) => ignored.has(lastName(entry)),
  })) {
    const lines = (await readFile(join(checkout, path), 'utf8')).split('\n').length - 1
    if (lines > maxLines) found.push(`${path}: ${lines} lines`)
  }
  return found.length === 0
    ? undefined
    : `longer than ${maxLines} lines:\n${found.toSorted().join('\n')}`
}

/**
 * Tarball addresses in the lockfile would bind every installation to the registry that its author
 * used.
 */
export async function registryHosts(checkout: string): Promise<string | undefined> {
  const lockfile = await readFile(join(checkout, 'pnpm-lock.yaml'), 'utf8')
  const found = lockfile.split('\n').filter((line) => /https?:\/\//.test(line))
  return found.length === 0 ? undefined : found.slice(0, 10).join('\n')
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
