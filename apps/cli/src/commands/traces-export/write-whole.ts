import { open, rename, rm, type FileHandle } from 'node:fs/promises'

import { usageError } from '../../errors/cli-error.ts'

/**
 * Writes a file that appears when it is complete. Until then, and if the process is killed, its
 * pieces are in a file with the suffix `.part`.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const part = `${path}.${process.pid}.part`
  const file = await openNew(part, path)
  try {
    for await (const piece of pieces) await file.write(piece)
    await file.sync()
    await file.close()
    signal.throwIfAborted()
    await rename(part, path)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

async function openNew(part: string, path: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx')
  } catch (error) {
    throw usageError(`can't write ${path}: ${(error as Error).message}`)
  }
}
