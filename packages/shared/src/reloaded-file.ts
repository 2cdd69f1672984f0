import { readFile } from 'node:fs/promises'

import type { Logger } from './logger.ts'
import type { OperatorFile } from './operator-file.ts'

const RELOAD_INTERVAL_MS = 10_000

/** Options of `followFile`. */
export interface FollowedFile<Value> extends OperatorFile<Value> {
  readonly logger: Logger
  /** How often the file is read, in milliseconds; default 10,000. */
  readonly intervalMs?: number
}

/** The value of a file that is read again while the process runs. */
export interface FileValue<Value> extends Disposable {
  readonly current: Value
}

/**
 * Reads a file again at regular intervals, because a mounted ConfigMap or Secret changes without a
 * restart. While the file can't be read or isn't valid, the last good value stays, and each new
 * reason is logged once.
 */
export function followFile<Value>(options: FollowedFile<Value>): FileValue<Value> {
  const { name, path, parse, logger } = options
  let current = options.initial
  let lastText: string | undefined
  let lastProblem: string | undefined
  const reload = async (): Promise<void> => {
    try {
      const text = await readFile(path, 'utf8')
      if (text === lastText) return
      lastText = text
      current = parse(text)
      lastProblem = undefined
      logger.info({ setting: name, path }, 'file read')
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (problem === lastProblem) return
      lastProblem = problem
      logger.error(
        { setting: name, path, problem },
        'the file is not valid; the last valid content stays in effect',
      )
    }
  }
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
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
