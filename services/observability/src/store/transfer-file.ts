import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import type { Blocks } from './engine.ts'

/**
 * A file in which this process passes blocks to the engine inside of it. It has no name, so it is
 * gone when the process ends, and it is so short-lived that it rarely reaches the disk.
 */
export class TransferFile implements AsyncDisposable {
  readonly #file: FileHandle
  #last: Promise<unknown> = Promise.resolve()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Creates the file in a directory. */
  static async create(directory: string): Promise<TransferFile> {
    const path = join(directory, `transfer-${process.pid}`)
    const file = await open(path, 'w+')
    await rm(path)
    return new TransferFile(file)
  }

  /** Writes blocks to the file, and runs work with its path. Calls run one after the other. */
  async pass(blocks: Blocks, work: (path: string) => Promise<void>): Promise<void> {
    const passed = this.#last.then(async () => {
      await this.#replace(blocks)
      await work(`/proc/self/fd/${this.#file.fd}`)
    })
    this.#last = passed.catch(() => {})
    await passed
  }

  async #replace(blocks: Blocks): Promise<void> {
    await this.#file.truncate(0)
    const { bytesWritten } = await this.#file.writev(blocks, 0)
    const expected = blocks.reduce((sum, { length }) => sum + length, 0)
    if (bytesWritten !== expected) throw new Error('the disk with the traces is full')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}
