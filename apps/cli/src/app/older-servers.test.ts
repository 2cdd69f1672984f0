import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { shownResult } from './testing/shown-result.ts'

// What commands show of the answers of earlier releases, which lack what was added since.

interface Answer {
  readonly path: string
  readonly body: unknown
}

const RELEASES = join(import.meta.dirname, '../../../../test/releases')

/** Commands that print the body of an answer, by its path. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  whoami: /^\/me$/,
  'members list': /\/members$/,
  status: /^\/deployments\?|\/deployment$/,
  history: /\/deployment\/revisions$/,
}

const versions = readdirSync(RELEASES).filter((name) => /^\d+\.\d+\.\d+$/.test(name))
const cases = versions.flatMap((version) => {
  const text = readFileSync(join(RELEASES, version, 'answers.json'), 'utf8')
  const answers = JSON.parse(text) as readonly Answer[]
  return Object.entries(COMMANDS).flatMap(([command, path]) =>
    answers
      .filter((answer) => path.test(answer.path))
      .map(({ path: of, body }) => ({ version, command, of, body })),
  )
})

test('there are answers for each of these commands', () => {
  expect(new Set(cases.map(({ command }) => command))).toEqual(new Set(Object.keys(COMMANDS)))
})

test.each(cases)('$command shows $of of release $version', async ({ command, body }) => {
  for (const columns of [80, 40, undefined]) {
    const shown = await shownResult(command, [body], columns)
    expect(shown).toMatch(/\S/)
    expect(shown).not.toMatch(/NaN|undefined|null|Invalid|\[object/)
  }
})
