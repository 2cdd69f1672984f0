import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { directoryEntry, hostFileEntry, hostTreeEntries, type Entry } from './entries.ts'

/**
 * What package.json tells about an agent: its programs (`bin`) and the files that belong to it
 * (`files`).
 */
export interface Application {
  folder: string
  name: string
  programs: Record<string, string>
  files: string[]
}

/** Where applications live in an image. */
export const APPLICATION_PATH = 'app'

/** Reads an agent's package.json. Its name is that of its folder: the npm name may have a scope. */
export async function readApplication(directory: string): Promise<Application> {
  const folder = resolve(directory)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>
    files?: string[]
  }
  if (typeof manifest.bin !== 'object' || !manifest.files) {
    throw new Error(
      `${join(folder, 'package.json')} needs "bin" (programs by name) and "files" to become an image`,
    )
  }
  return { folder, name: basename(folder), programs: manifest.bin, files: manifest.files }
}

/**
 * The application's own files, without its tests. All belong to root: a container can't change its
 * program.
 */
export async function applicationEntries(application: Application): Promise<Entry[]> {
  const manifest = await hostFileEntry(
    `${APPLICATION_PATH}/package.json`,
    join(application.folder, 'package.json'),
  )
  const entries: Entry[] = [directoryEntry(APPLICATION_PATH), { ...manifest, mode: 0o644 }]
  for (const name of application.files) {
    const path = `${APPLICATION_PATH}/${name}`
    entries.push(
      ...(await hostTreeEntries(
        path,
        join(application.folder, name),
        (file) => !file.endsWith('.test.ts'),
      )),
    )
  }
  return entries
}
