import { messageOf } from '../config/operator-file.ts'
import type { Logger } from '../logging/logger.ts'
import { observe } from '../telemetry/measures.ts'
import { invalidSettings } from './invalid-settings.ts'

/** Options of UsedFiles. */
export interface UsedFilesOptions<Value> {
  /** The setting that names the files. */
  readonly setting: string
  /** Reads the file at a path; throws an Error that says what is wrong with it. */
  readonly read: (path: string) => Value
  readonly logger: Logger
}

/**
 * Files of the operator that are read for each use, because mounted Secrets change. While one can't
 * be read or isn't valid, its last valid value is used. Each new reason is logged once, and a
 * metric counts the files that aren't valid now.
 */
export class UsedFiles<Value> implements Disposable {
  readonly #options: UsedFilesOptions<Value>
  readonly #last = new Map<string, Value>()
  readonly #problems = new Map<string, string>()
  readonly #gauge: Disposable

  constructor(options: UsedFilesOptions<Value>) {
    this.#options = options
    this.#gauge = observe(invalidSettings, { setting: options.setting }, () => {
      // A file that has changed may not be used for a long time.
      for (const path of new Set([...this.#last.keys(), ...this.#problems.keys()])) this.read(path)
      return Promise.resolve(this.#problems.size)
    })
  }

  /** Returns the value of a file; undefined if it was never valid. */
  read(path: string): Value | undefined {
    const { setting, read, logger } = this.#options
    try {
      this.#last.set(path, read(path))
      this.#problems.delete(path)
    } catch (error) {
      const problem = messageOf(error)
      const remedy = 'correct the file; it is read again for its next use'
      if (this.#problems.get(path) !== problem)
        logger.error({ setting, path, problem, remedy }, 'invalid_setting')
      this.#problems.set(path, problem)
    }
    return this.#last.get(path)
  }

  [Symbol.dispose](): void {
    this.#gauge[Symbol.dispose]()
  }
}
