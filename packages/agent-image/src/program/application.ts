import { glob } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Entry } from '../image/entries.ts'
import type { Progress } from '../progress.ts'
import { readManifest } from './manifest.ts'
import { readSourceTree, secretsLine } from './source-tree.ts'

/** An agent's package.json: its programs, and whether it lists its files. */
export interface Application {
  folder: string
  /** The programs by name; `agent` is the one that builds start by default. */
  programs: Record<string, string>
  hasFiles: boolean
}

/** The folder of the application in an image. */
export const APPLICATION_PATH = 'app'

/**
 * Reads an agent's package.json. Its programs are those in `bin`; without it, the agent is the file
 * in `main`, or the one that `node` runs in the script `start`.
 */
export async function readApplication(directory: string): Promise<Application> {
  const folder = resolve(directory)
  const { bin, files, main, scripts } = await readManifest(folder)
  const started = /^node (?:--\S+ )*([^\s-]\S*)$/.exec(scripts?.['start'] ?? '')?.[1]
  const agent = typeof bin === 'string' ? bin : (main ?? started)
  const programs = {
    ...(agent !== undefined && { agent }),
    ...(typeof bin === 'object' && (bin as Record<string, string>)),
  }
  if (Object.keys(programs).length === 0) {
    throw new Error(
      `${join(folder, 'package.json')} doesn't say what to start; it needs "bin" (programs by ` +
        'name, as in {"agent": "src/main.ts"}) or "main"',
    )
  }
  return { folder, programs, hasFiles: files !== undefined }
}

/**
 * Returns a package's package.json and `files` below `path`, without tests. They belong to root, so
 * containers can't write. Throws if `files` names a place outside of the package.
 */
export async function packageEntries(
  folder: string,
  path: string,
  progress: Progress,
): Promise<readonly Entry[]> {
  const { files } = await readManifest(folder)
  if (!files) throw new Error(`${join(folder, 'package.json')} needs "files" to be in an image`)
  const leaving = files.find((pattern) => /(^|\/)\.\.(\/|$)|\0/.test(pattern))
  if (leaving !== undefined)
    throw new Error(
      `${JSON.stringify(leaving)} in "files" of ${join(folder, 'package.json')} leaves the folder`,
    )
  const places = ['package.json']
  // As in npm, a slash at the start means the package's folder.
  const patterns = files.map((pattern) => pattern.replace(/^\/+/, ''))
  for await (const found of glob(patterns, { cwd: folder }))
    places.push(found.replace(/^\.\//, '').replace(/\/+$/, ''))
  const { entries, secrets } = await readSourceTree(folder, path, places, isProductionFile)
  const line = secretsLine(secrets)
  if (line !== undefined) progress(line)
  return entries
}

function isProductionFile(file: string): boolean {
  return !file.endsWith('.test.ts')
}
