import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { Cli } from '../command/cli.ts'
import { commonFlags } from '../command/common-flags.ts'
import type { Block } from '../output/blocks.ts'
import { allCommands } from './all-commands.ts'

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

/** Results that differ from what `--json` prints. */
const TYPED: Readonly<Record<string, (value: never) => unknown>> = {
  status: (value: { components?: unknown }) =>
    value.components === undefined
      ? { kind: 'all', list: value, changed: [], names: undefined }
      : { kind: 'one', deployment: value, revision: undefined, names: new Map(), changes: [] },
}

const names = readdirSync(FOLDER).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test.each(names)('%s', async (name) => {
  const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8')
  const recorded = JSON.parse(text) as Recorded
  vi.setSystemTime(Date.parse(recorded.recorded_at))
  const shown: string[] = []
  for (const [title, columns] of Object.entries(SCREENS))
    shown.push(`=== ${title}\n${await render(recorded, columns)}`)
  const file = join(FOLDER, `${name}.txt`)
  if (process.env['WRITE_GOLDEN'] === '1') writeFileSync(file, shown.join('\n'))
  expect(shown.join('\n')).toBe(readFileSync(file, 'utf8'))
})

/** What a terminal with so many columns shows, or a pipe has. */
async function render(recorded: Recorded, columns: number | undefined): Promise<string> {
  const { command, results } = recorded
  const found = allCommands().find(({ name }) => name === command)
  if (found === undefined) throw new Error(`there is no command ${command}`)
  const { view } = await found.definition.load()
  const written: string[] = []
  const output = {
    isTTY: columns !== undefined,
    ...(columns !== undefined && { columns }),
    write: (part: string) => written.push(part),
  }
  const context = {
    process: { stdin: new PassThrough(), stdout: output, stderr: output, env: { NO_COLOR: '1' } },
    signal: new AbortController().signal,
    exit() {},
  }
  const flags = { ...defaults(commonFlags), ...defaults(found.definition.flags ?? {}) }
  const cli = new Cli(context, flags as never)
  for (const result of results) {
    const typed = TYPED[command]?.(result as never) ?? result
    cli.printer.show(view(typed, cli, flags) as readonly Block[])
  }
  return written.join('')
}

/** The values of options that are not given. */
function defaults(flags: object): Readonly<Record<string, unknown>> {
  const all = Object.entries(flags as Readonly<Record<string, { readonly default?: unknown }>>)
  return Object.fromEntries(all.map(([name, flag]) => [name, flag.default]))
}
