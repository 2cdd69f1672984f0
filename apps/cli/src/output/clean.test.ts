import { expect, test } from 'vitest'

import { clean, cleanJson } from './clean.ts'

const HOSTILE = ['\u009b2J', '\u0085', '\u007f', '\u202e', '\u2066', '\u001b]0;x\u0007']

test.each(HOSTILE)('escapes %j in JSON, which means the same', (hostile) => {
  const value = { name: `a${hostile}b\tc` }
  const json = cleanJson(JSON.stringify(value, undefined, 2))
  expect(JSON.parse(json)).toEqual(value)
  expect(json).toMatch(/^[\n\x20-\x7e]+$/)
})

test.each(HOSTILE)('removes %j from text', (hostile) => {
  expect(clean(`a${hostile}b`)).toMatch(/^a[2Jbx\]0;]*b$/)
})
