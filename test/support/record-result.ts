import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * With `RECORD_GOLDEN`, stores a result of a command in that folder, for the test of golden
 * outputs: the longest one, or all lines of a stream up to this many.
 */
export function recordResult(command: string, isStream: boolean, value: unknown): void {
  const folder = process.env['RECORD_GOLDEN']
  // What an export has is printed as it arrives, without a view.
  if (folder === undefined || command === 'traces export') return
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${command.replaceAll(' ', '-')}.json`)
  const before: readonly unknown[] = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { results: unknown[] }).results
    : []
  const shown = publicForm(value)
  const results = isStream ? [...before, shown].slice(0, MOST_LINES) : [longest([...before, shown])]
  const recorded = { command, recorded_at: new Date().toISOString(), results }
  writeFileSync(path, `${JSON.stringify(recorded, undefined, 2)}\n`)
}

const MOST_LINES = 5

/** Without what is not for a file in a repository: machine tokens, and folders of a test run. */
function publicForm(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/slipway_\w{40,}/g, `slipway_${'0'.repeat(49)}`)
    .replaceAll(/"[^"]*\/slipway-home-\w+/g, '"/home/alice')
  return JSON.parse(text)
}

function longest(values: readonly unknown[]): unknown {
  const lengthOf = (value: unknown) => JSON.stringify(value).length
  return values.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
}
