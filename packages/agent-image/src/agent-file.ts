import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openHostFile } from './image/host-file.ts'

/**
 * Reads a text that leaves this machine, such as the README, from an agent's folder. Undefined if
 * there is no such file. Throws if it is a link to something outside of the folder.
 */
export async function readAgentFile(folder: string, name: string): Promise<string | undefined> {
  const file = join(folder, name)
  try {
    const { size } = await stat(file)
    const inside = await realpath(folder)
    await using handle = await openHostFile({ file, sizeBytes: size, inside })
    return await readFile(handle, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
