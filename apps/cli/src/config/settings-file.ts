import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { CliError } from '../errors/cli-error.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** A JSON file in the folder of settings, which only its user can read. */
export class SettingsFile<Content extends object> {
  readonly #folder: string | undefined
  readonly #name: string

  constructor(folder: string | undefined, name: string) {
    this.#folder = folder
    this.#name = name
  }

  /** The path; an error if there is no folder for settings. */
  get path(): string {
    if (this.#folder === undefined)
      throw new CliError('there is no folder for settings', {
        code: 'no_config_folder',
        why: 'HOME is not set',
        next: 'set HOME or SLIPWAY_CONFIG_DIR, or use SLIPWAY_URL and SLIPWAY_TOKEN',
      })
    return join(this.#folder, this.#name)
  }

  /** Reads the file. Undefined if it doesn't exist. */
  async read(): Promise<Content | undefined> {
    if (this.#folder === undefined) return undefined
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw settingsUnusable(`can't read ${this.path}`, error)
    }
    try {
      return JSON.parse(text) as Content
    } catch (error) {
      throw new CliError(`${this.path} is not valid JSON`, {
        code: 'broken_settings',
        // The text that the parser quotes may have a token.
        why: (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, ''),
        next: 'correct or delete the file',
      })
    }
  }

  /** Replaces the file at once, so that no other process reads a part of it. */
  async write(content: Content): Promise<void> {
    const { path } = this
    // Most commands write no settings, and loading it takes a tenth of their time.
    const { randomUUID } = await import('node:crypto')
    const temporary = `${path}.${randomUUID()}`
    try {
      await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
      await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, {
        mode: PRIVATE_FILE,
      })
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {})
      throw settingsUnusable(`can't write ${path}`, error)
    }
  }
}

/** The error if a file of settings can't be read or written. */
export function settingsUnusable(message: string, error: unknown): CliError {
  return new CliError(message, {
    code: 'settings_unusable',
    why: (error as Error).message,
    next: 'make the folder writable, or set SLIPWAY_CONFIG_DIR to another one',
    cause: error,
  })
}
