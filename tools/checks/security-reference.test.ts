import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../../docs/reference')
const LINK = /\[([^\]]+)\]\(([^)]+(?:\.test\.ts|_test\.yaml))\)/g
/** The title of a test, or of a group of tests, in TypeScript or in the chart's unit tests. */
const TITLE = /(?:\b(?:test|it|describe)|\))\(\s*(['"`])(.+?)\1,|^ *- it: (.+)$/gm

test('docs/reference/security.md names tests that exist', async () => {
  const page = await readFile(resolve(FOLDER, 'security.md'), 'utf8')
  const links = [...page.matchAll(LINK)].map(([, title = '', file = '']) => ({ title, file }))
  expect(links.length).toBeGreaterThan(100)
  const missing = await Promise.all(
    links.map(async ({ title, file }) =>
      (await titlesIn(file)).has(title) ? [] : [`${file}: ${title}`],
    ),
  )
  expect(missing.flat()).toEqual([])
})

async function titlesIn(file: string): Promise<ReadonlySet<string | undefined>> {
  const source = await readFile(resolve(FOLDER, file), 'utf8')
  return new Set([...source.matchAll(TITLE)].map(([, , title, chart]) => title ?? chart))
}
