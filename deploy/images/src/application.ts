import { glob, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { directoryEntry, hostFileEntry, hostTreeEntries, type Entry } from './entries.ts'
import { readManifest } from './manifest.ts'

/** An agent's package.json: its programs (`bin`) and the files that belong to it (`files`). */
export interface Application {
  folder: string
  name: string
  programs: Record<string, string>
}

/** The folder of the application in an image. */
export const APPLICATION_PATH = 'app'

/**
 * Reads an agent's package.json. The agent is named after its folder, because npm names can have a
 * scope.
 */
export async function readApplication(directory: string): Promise<Application> {
  const folder = resolve(directory)
  const { bin, files } = await readManifest(folder)
  if (typeof bin !== 'object' || !files) {
    const file = join(folder, 'package.json')
    throw new Error(`${file} needs "bin" (programs by name) and "files" to build an image`)
  }
  return { folder, name: basename(folder), programs: bin as Record<string, string> }
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
  for await (const name of glob([...files], { cwd: folder })) {
    const source = join(folder, name)
    if (!isKept(name)) continue
    if ((await stat(source)).isDirectory())
      entries.push(...(await hostTreeEntries(`${path}/${name}`, source, isKept)))
    else entries.push(await hostFileEntry(`${path}/${name}`, source))
  }
  return entries
}
