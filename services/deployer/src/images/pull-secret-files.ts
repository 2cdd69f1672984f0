import { readFileSync } from 'node:fs'

import type { Logger } from '@slipway/shared/logger'
import { messageOf } from '@slipway/shared/operator-file'
import { invalidSettings } from '@slipway/shared/reloaded-file'
import { observe } from '@slipway/shared/telemetry'

import { parseDockerConfig, type RegistryAuths } from './docker-config.ts'

/**
 * Reads the files with the credentials of registries. They are read for each use, because mounted
 * Secrets change. While a file can't be read, its last valid content is used. Each new reason is
 * logged once, and a metric counts the files that aren't valid.
 */
export class PullSecretFiles implements Disposable {
  readonly #logger: Logger
  readonly #last = new Map<string, RegistryAuths>()
  readonly #problems = new Map<string, string>()
  readonly #gauge: Disposable

  constructor(logger: Logger) {
    this.#logger = logger
    this.#gauge = observe(invalidSettings, { setting: 'pull_secret_file' }, () =>
      Promise.resolve(this.#problems.size),
    )
  }

  /** Returns the entries of a file; none if it was never valid. */
  read(path: string): RegistryAuths {
    try {
      this.#last.set(path, parseDockerConfig(readFileSync(path, 'utf8')))
      this.#problems.delete(path)
    } catch (error) {
      const problem = messageOf(error)
      if (this.#problems.get(path) !== problem)
        this.#logger.error({ path, problem }, 'pull_secret_file_not_valid')
      this.#problems.set(path, problem)
    }
    return this.#last.get(path) ?? {}
  }

  [Symbol.dispose](): void {
    this.#gauge[Symbol.dispose]()
  }
}
