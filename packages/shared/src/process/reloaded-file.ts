import { readFile } from 'node:fs/promises'

import type { Logger } from '../logging/logger.ts'
import { messageOf, type OperatorFile } from '../config/operator-file.ts'
import { observe } from '../telemetry/measures.ts'
import { invalidSettings } from './invalid-settings.ts'

const RELOAD_INTERVAL_MS = 10_000
const MAX_LOGGED = 20
const REMEDY = 'correct the file; the service reads it again without a restart'

export interface FollowedFile<Value> extends OperatorFile<Value> {
  readonly logger: Logger
  /** How often the file is read, in milliseconds; default 10,000. */
  readonly intervalMs?: number
  /** What is in effect if the file wasn't valid at start; default: its valid parts. */
  readonly withoutValue?: string
  /** Whether a changed file takes effect if only parts of it are valid; default: it doesn't. */
  readonly usesValidParts?: boolean
}

/** The value of a file that is read again while the process runs. */
export interface FileValue<Value> extends Disposable {
  readonly current: Value
}

/**
 * Reads a file again at regular intervals, because a mounted ConfigMap or Secret changes without a
 * restart. While the file can't be read or isn't valid, the last good value stays, unless its valid
 * parts are used. Each new reason is logged once, and a metric counts what isn't valid.
 */
export function followFile<Value>(options: FollowedFile<Value>): FileValue<Value> {
  const { name, path, parse, logger } = options
  let { initial: current, problems } = options
  let lastText: string | undefined
  const logProblems = (inEffect: string): void => {
    for (const problem of problems.slice(0, MAX_LOGGED))
      logger.error(
        { setting: name, path, problem, in_effect: inEffect, remedy: REMEDY },
        'invalid_setting',
      )
  }
  logProblems(
    options.withoutValue ?? 'the valid parts of the file, and the defaults for the others',
  )
  const reload = async (): Promise<void> => {
    const found: string[] = []
    let inEffect = 'what was in effect before'
    try {
      const before = lastText
      lastText = undefined
      const text = await readFile(path, 'utf8')
      lastText = text
      if (text === before) return
      const value = parse(text, (problem) => found.push(problem))
      if (found.length === 0 || options.usesValidParts === true) {
        current = value
        inEffect = 'the valid parts of the file'
        logger.info({ setting: name, path }, 'file read')
      }
    } catch (error) {
      found.push(messageOf(error))
    }
    if (found.join('\n') === problems.join('\n')) return
    problems = found
    logProblems(inEffect)
  }
  const gauge = observe(invalidSettings, { setting: name }, () => Promise.resolve(problems.length))
  // One read at a time: a slow one must not bring back what a later one has replaced.
  let isReading = false
  const onTimer = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    await reload()
    isReading = false
  }
  const timer = setInterval(() => void onTimer(), options.intervalMs ?? RELOAD_INTERVAL_MS).unref()
  return {
    get current() {
      return current
    },
    [Symbol.dispose]: () => {
      clearInterval(timer)
      gauge[Symbol.dispose]()
    },
  }
}
