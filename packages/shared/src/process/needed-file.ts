import type { Logger } from '../logging/logger.ts'
import type { OperatorFile } from '../config/operator-file.ts'
import { followFile, type FileValue } from './reloaded-file.ts'

/**
 * Follows a file without which some work waits: its value can't be used until the file has been
 * valid once. The valid parts of a file are used, such as the certificates next to a damaged one.
 */
export class NeededFile implements Disposable {
  readonly #name: string
  readonly #file: FileValue<string | undefined>

  /** `waiting` says what waits. */
  constructor(file: OperatorFile<string | undefined>, logger: Logger, waiting: string) {
    this.#name = file.name
    this.#file = followFile({ ...file, logger, withoutValue: waiting, usesValidParts: true })
  }

  /** The content now. Throws an Error while the file has never been valid. */
  readonly value = (): string => {
    const { current } = this.#file
    if (current !== undefined) return current
    throw new Error(`${this.#name} is not valid: see invalid_setting in this log`)
  }

  /** A readiness check, which rejects while the file has never been valid. */
  readonly check = async (): Promise<void> => {
    this.value()
  };

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]()
  }
}
