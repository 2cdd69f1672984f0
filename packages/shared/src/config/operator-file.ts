import { readFileSync } from 'node:fs'

import type { ConfigReader } from './config.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Reports a part of a file that isn't valid: its path, its bound, and what to write. */
export type ReportProblem = (problem: string) => void

/**
 * Converts the content of a file. Reports each part that isn't valid and leaves it out; throws an
 * Error if no part can be used.
 */
export type ParseFile<Value> = (text: string, report: ReportProblem) => Value

/** A file of the operator, as it was read at start. */
export interface OperatorFile<Value> {
  /** The setting that names the file. */
  readonly name: string
  readonly path: string
  /** The value of what was valid at start. */
  readonly initial: Value
  /** What wasn't valid at start. */
  readonly problems: readonly string[]
  readonly parse: ParseFile<Value>
}

/**
 * Reads the file that a setting names; undefined if the setting is unset. The file can change while
 * a service runs, so a wrong one doesn't keep another replica from starting: that one starts with
 * the valid parts, or with `fallback` if there are none.
 */
export function readOperatorFile<Value>(
  reader: ConfigReader,
  name: string,
  parseText: ParseFile<Value>,
  fallback: Value,
): OperatorFile<Value> | undefined {
  const path = reader.optional(name)
  if (path === undefined) return undefined
  const problems: string[] = []
  const report = (problem: string): unknown => problems.push(problem)
  const initial = readPart(report, () => parseText(readFileSync(path, 'utf8'), report), fallback)
  return { name, path, initial, problems, parse: parseText }
}

/** Refuses a file whose parts aren't all valid. */
export const refuse: ReportProblem = (problem) => {
  throw new Error(problem)
}

/** Reads a part of a file. If it isn't valid, reports why and returns the fallback. */
export function readPart<Value>(report: ReportProblem, read: () => Value, fallback: Value): Value {
  try {
    return read()
  } catch (error) {
    report(messageOf(error))
    return fallback
  }
}

/** Returns the message of an error for operators; of a system error, what failed and its code. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined ? error.message : `the file can't be read (${String(code)})`
}

/** Returns a mapping, and reports its unknown keys; throws an Error that names its path. */
export function mappingOf<Key extends string>(
  value: unknown,
  path: string,
  keys: readonly Key[],
  report: ReportProblem = refuse,
): Partial<Record<Key, unknown>> {
  const mapping = anyMapping(value, path)
  for (const key of Object.keys(mapping))
    if (!(keys as readonly string[]).includes(key))
      report(`${path}: has the unknown key ${key}; it can have ${keys.join(', ')}`)
  return mapping as Partial<Record<Key, unknown>>
}

/** Returns a mapping with keys of any name; throws an Error that names its path. */
export function anyMapping(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new Error(`${path}: must be a mapping`)
}

export function isAccountId(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value)
}
