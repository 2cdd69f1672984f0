import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * With `RECORD_GOLDEN`, stores a result of a command in that folder, for the test of golden
 * outputs: the longest one, or all lines of a stream up to this many.
 */
export function recordResult(command: string, isStream: boolean, value: unknown): void {
  const folder = process.env['RECORD_GOLDEN']
  // A secret is not for a file, even that of a test.
  if (folder === undefined || command === 'tokens create') return
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${command.replaceAll(' ', '-')}.json`)
  const before: readonly unknown[] = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { results: unknown[] }).results
    : []
  const results = isStream ? [...before, value].slice(0, MOST_LINES) : [longest([...before, value])]
  const recorded = { command, recorded_at: new Date().toISOString(), results }
  writeFileSync(path, `${JSON.stringify(recorded, undefined, 2)}\n`)
}

const MOST_LINES = 5

function longest(values: readonly unknown[]): unknown {
  const lengthOf = (value: unknown) => JSON.stringify(value).length
  return values.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
}
