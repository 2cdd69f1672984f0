import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { allCommands } from './all-commands.ts'
import { shownResult } from './testing/shown-result.ts'

// What commands show of results that the whole stack has returned, compared with the files in
// apps/cli/golden. With WRITE_GOLDEN=1, the texts are written again. CONTRIBUTING.md says how to
// record the results again.

interface Recorded {
  readonly command: string
  readonly recorded_at: string
  /** The results of a stream, or else one. */
  readonly results: readonly unknown[]
}

const FOLDER = join(import.meta.dirname, '../../golden')
const SCREENS = { '80 columns': 80, '40 columns': 40, pipe: undefined } as const

const names = readdirSync(FOLDER).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test('there is an output of each command', () => {
  const all = allCommands().map(({ name }) => name.replaceAll(' ', '-'))
  // An export is printed as it arrives, without a view.
  expect(names.toSorted()).toEqual(all.filter((name) => name !== 'traces-export').toSorted())
})

test.each(names)('%s', async (name) => {
  const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8')
  const { command, results, recorded_at } = JSON.parse(text) as Recorded
  vi.setSystemTime(Date.parse(recorded_at))
  const shown: string[] = []
  for (const [title, columns] of Object.entries(SCREENS))
    shown.push(`=== ${title}\n${await shownResult(command, results, columns)}`)
  const file = join(FOLDER, `${name}.txt`)
  if (process.env['WRITE_GOLDEN'] === '1') writeFileSync(file, shown.join('\n'))
  expect(shown.join('\n')).toBe(readFileSync(file, 'utf8'))
})
