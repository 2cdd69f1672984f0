import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { directoryEntry, hostFileEntry, hostTreeEntries, type Entry } from './entries.ts'

/** An agent's package.json: its programs (`bin`) and the files that belong to it (`files`). */
export interface Application {
  folder: string
  name: string
  programs: Record<string, string>
  files: string[]
}

/** The folder of the application in an image. */
export const APPLICATION_PATH = 'app'

/**
 * Reads an agent's package.json. The agent's name is its folder's, since npm names can have a
 * scope.
 */
export async function readApplication(directory: string): Promise<Application> {
  const folder = resolve(directory)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>
    files?: string[]
  }
  if (typeof manifest.bin !== 'object' || !manifest.files) {
    const file = join(folder, 'package.json')
    throw new Error(`${file} needs "bin" (programs by name) and "files" to build an image`)
  }
  return { folder, name: basename(folder), programs: manifest.bin, files: manifest.files }
}

/**
 * Returns the application's files without tests. They belong to root, so containers can't write.
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
