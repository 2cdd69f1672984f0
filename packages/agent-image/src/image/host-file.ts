import { constants } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { isInside } from '../inside.ts'

/** Smaller files are read at once: a stream for each of thousands of files takes twice as long. */
export const READ_WHOLE_BYTES = 1 << 20

/** A file of this machine, whose content is read when the layer is written. */
export interface HostFile {
  readonly file: string
  readonly sizeBytes: number
  /** The folder in which the file must still be then, without links. */
  readonly inside?: string
}

/**
 * Opens a file. Throws if it is no longer the regular file that it was, for example because a
 * folder on its path has become a link.
 */
export async function openHostFile({ file, sizeBytes, inside }: HostFile): Promise<FileHandle> {
  // Without O_NONBLOCK, a pipe would block for ever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.size !== sizeBytes)
      throw new Error(`${file} changed while it was packed; build again when it stays the same`)
    if (inside !== undefined) {
      // On Linux, this is where the opened file is, whatever happens to its path meanwhile.
      const opened = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : file
      const place = await realpath(opened)
      if (!isInside(inside, place)) throw new Error(`${file} is ${place}, outside of ${inside}`)
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads the whole content of a file among entries. */
export async function readContent(content: Buffer | HostFile): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content
  await using handle = await openHostFile(content)
  return await handle.readFile()
}
