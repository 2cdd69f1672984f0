import { gzipSync } from 'node:zlib'

import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const ENTRY = new URL('../src/index.ts', import.meta.url).pathname
const MOST_BYTES = 30_000
const MOST_COMPRESSED_BYTES = 10_000

test('becomes a small bundle for browsers, without modules of Node', async () => {
  const build = await rolldown({ input: ENTRY, platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const [bundle, ...others] = output
  expect(others).toEqual([])
  expect(bundle.imports).toEqual([])
  expect(bundle.exports.toSorted()).toEqual([
    'API_VERSION',
    'ApiError',
    'ConnectionError',
    'createClient',
    'toConnectionError',
  ])
  expect(bundle.code.length).toBeLessThan(MOST_BYTES)
  expect(gzipSync(bundle.code).length).toBeLessThan(MOST_COMPRESSED_BYTES)
})
