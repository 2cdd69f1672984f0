import { glob, readFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Where a domain error or a problem is made, and the words that its reason can be. */
const MAKING =
  /new (?:InvalidInput|NotFound|AlreadyExists|Conflict|FailedPrecondition|PermissionDenied|Unauthenticated|RateLimited|Unavailable|HttpProblem)\(\s*(?:\d{3},\s*)?'([a-z_]+)'/g

test('docs/reference/errors.md names every code that is made anywhere, and no other', async () => {
  const page = await readFile(resolve(ROOT, 'docs/reference/errors.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const described = new Set(
    rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code),
    ),
  )

  const made = new Set<string | undefined>()
  let sources = ''
  for await (const path of glob('{services,packages}/*/src/**/*.ts', { cwd: ROOT })) {
    if (path.endsWith('.test.ts')) continue
    const source = await readFile(resolve(ROOT, path), 'utf8')
    for (const [, code] of source.matchAll(MAKING)) made.add(code)
    sources += source
  }
  expect(made.size).toBeGreaterThan(30)
  expect([...made].filter((code) => !described.has(code))).toEqual([])
  // Errors without a word of their own have their status' one.
  const ofStatus = [...Object.values(STATUS_CODES), 'Client Closed Request'].map((text) =>
    (text ?? '').toLowerCase().replaceAll(/[^a-z]+/g, '_'),
  )
  expect(
    [...described].filter(
      (code) => !sources.includes(`'${code}'`) && !ofStatus.includes(code ?? ''),
    ),
  ).toEqual([])
})
