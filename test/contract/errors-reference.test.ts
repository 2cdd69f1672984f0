import { glob, readFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Matches where a domain error or a problem is created, with its reason. */
const CLASSES =
  'InvalidInput|NotFound|AlreadyExists|Conflict|FailedPrecondition|PermissionDenied|' +
  'Unauthenticated|RateLimited|Unavailable|HttpProblem'
const CREATION = new RegExp(String.raw`new (?:${CLASSES})\(\s*(?:\d{3},\s*)?'([a-z_]+)'`, 'g')

test('docs/reference/errors.md lists exactly the codes that the sources create', async () => {
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
    for (const [, code] of source.matchAll(CREATION)) made.add(code)
    sources += source
  }
  expect(made.size).toBeGreaterThan(30)
  expect([...made].filter((code) => !described.has(code))).toEqual([])
  // Errors without their own code have one derived from their status.
  const ofStatus = [...Object.values(STATUS_CODES), 'Client Closed Request'].map((text) =>
    (text ?? '').toLowerCase().replaceAll(/[^a-z]+/g, '_'),
  )
  expect(
    [...described].filter(
      (code) => !sources.includes(`'${code}'`) && !ofStatus.includes(code ?? ''),
    ),
  ).toEqual([])
})
