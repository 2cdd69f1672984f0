import { readFileSync } from 'node:fs'

import type { Logger } from '@slipway/shared/logger'

import { parseDockerConfig, type RegistryAuths } from './docker-config.ts'

/**
 * Reads the files with the credentials of registries. They are read for each use, because mounted
 * Secrets change. While a file can't be read, its last valid content is used. Each new reason is
 * logged once.
 */
export class PullSecretFiles {
  readonly #logger: Logger
  readonly #last = new Map<string, RegistryAuths>()
  readonly #problems = new Map<string, string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Returns the entries of a file; none if it was never valid. */
  read(path: string): RegistryAuths {
    try {
      this.#last.set(path, parseDockerConfig(readFileSync(path, 'utf8')))
      this.#problems.delete(path)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const problem = code === undefined ? message : `can't be read (${code})`
      if (this.#problems.get(path) !== problem)
        this.#logger.error({ path, problem }, 'pull_secret_file_not_valid')
      this.#problems.set(path, problem)
    }
    return this.#last.get(path) ?? {}
  }
}
