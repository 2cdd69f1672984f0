import { readFileSync } from 'node:fs'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown with a message that lists every missing or invalid variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Bounds of a number. */
export interface IntegerOptions {
  readonly min?: number
  readonly max?: number
}

/** Reads single variables and collects their problems. An empty variable counts as unset. */
export class ConfigReader {
  readonly problems: string[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** The variable, or undefined if it is unset. */
  optional(name: string): string | undefined {
    const value = this.#env[name]
    return value === undefined || value === '' ? undefined : value
  }

  /** The variable or the default. Having neither is a problem. */
  string(name: string, fallback?: string): string {
    return this.optional(name) ?? fallback ?? this.#problem(`${name}: is required`, '')
  }

  /** A whole number within bounds. */
  integer(
    name: string,
    fallback: number,
    { min = 0, max = Number.MAX_SAFE_INTEGER }: IntegerOptions = {},
  ): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    return this.#problem(`${name}: must be a whole number from ${min} to ${max}`, fallback)
  }

  /** `true` or `false`. */
  boolean(name: string, fallback: boolean): boolean {
    const text = this.optional(name)
    if (text === undefined) return fallback
    if (text === 'true' || text === 'false') return text === 'true'
    return this.#problem(`${name}: must be true or false`, fallback)
  }

  /** One of the given words. */
  oneOf<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
    const text = this.optional(name)
    if (text === undefined) return fallback
    return (
      words.find((word) => word === text) ??
      this.#problem(`${name}: must be one of ${words.join(', ')}`, fallback)
    )
  }

  /** A comma-separated list; blanks around its items are ignored. */
  list(name: string, fallback?: readonly string[]): readonly string[] {
    const text = this.optional(name)
    if (text === undefined) return fallback ?? this.#problem(`${name}: is required`, [])
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  /** A host:port to listen on; an IPv6 address is in brackets. */
  address(name: string, fallback: string): string {
    const text = this.optional(name) ?? fallback
    const port = /^(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text)?.[1]
    return Number(port) <= 65_535 ? text : this.#problem(`${name}: must be host:port`, text)
  }

  /** A secret of at least `bytes` bytes, written in hexadecimal. */
  hexSecret(name: string, bytes: number): Buffer {
    const text = this.optional(name)
    if (text === undefined) return this.#problem(`${name}: is required`, Buffer.alloc(0))
    if (/^([0-9a-fA-F]{2})+$/.test(text) && text.length >= bytes * 2)
      return Buffer.from(text, 'hex')
    return this.#problem(`${name}: must be at least ${bytes} bytes in hexadecimal`, Buffer.alloc(0))
  }

  /** A JSON value converted by `parse`, whose error message becomes the problem. */
  json<Value>(name: string, parse: (value: unknown) => Value): Value | undefined {
    const text = this.optional(name)
    if (text === undefined) return this.#problem(`${name}: is required`, undefined)
    try {
      return parse(JSON.parse(text))
    } catch (error) {
      return this.#problem(
        `${name}: ${error instanceof Error ? error.message : 'is not valid'}`,
        undefined,
      )
    }
  }

  /** The content of the file that the variable names; undefined if it is unset. */
  file(name: string): string | undefined {
    const path = this.optional(name)
    if (path === undefined) return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      return this.#problem(`${name}: the file cannot be read (${code})`, undefined)
    }
  }

  /** Adds a problem that only the caller can detect. */
  report(problem: string): void {
    this.problems.push(problem)
  }

  #problem<Value>(problem: string, value: Value): Value {
    this.problems.push(problem)
    return value
  }
}

/**
 * Builds a configuration from environment variables. Reads only `env` and the files that it names.
 * Throws a ConfigError with all problems.
 */
export function parseConfig<Config extends object>(
  env: Environment,
  build: (reader: ConfigReader) => Config,
): Readonly<Config> {
  const reader = new ConfigReader(env)
  const config = build(reader)
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return Object.freeze(config)
}
