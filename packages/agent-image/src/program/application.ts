import { glob, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { directoryEntry, hostFileEntry, hostTreeEntries, type Entry } from '../image/entries.ts'
import { readManifest } from './manifest.ts'

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
 * containers can't write.
 */
export async function packageEntries(folder: string, path: string): Promise<Entry[]> {
  const { files } = await readManifest(folder)
  if (!files) throw new Error(`${join(folder, 'package.json')} needs "files" to be in an image`)
  const manifest = await hostFileEntry(`${path}/package.json`, join(folder, 'package.json'))
  const entries: Entry[] = [directoryEntry(path), { ...manifest, mode: 0o644 }]
  const isKept = (file: string): boolean => !file.endsWith('.test.ts')
  for await (const found of glob([...files], { cwd: folder })) {
    const name = found.replace(/^\.\//, '').replace(/\/+$/, '')
    const source = join(folder, name)
    if (!isKept(name)) continue
    if ((await stat(source)).isDirectory())
      entries.push(...(await hostTreeEntries(`${path}/${name}`, source, isKept)))
    else entries.push(await hostFileEntry(`${path}/${name}`, source))
  }
  // Patterns may overlap, as in ["src", "src/**", "package.json"].
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()]
}
