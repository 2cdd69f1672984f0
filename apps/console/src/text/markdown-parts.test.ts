import { expect, test } from 'vitest'

import { partsOf } from './markdown-parts.ts'

const CHARS = 512 * 1024

function parsedChars(text: string): number {
  const parsed = partsOf(text).filter(({ kind }) => kind === 'markdown')
  return parsed.reduce((sum, part) => sum + part.text.length, 0)
}

test.each(['*a_', '_a*', '[', '`', '<', '![', '>', '> ', '- ', '1. '])(
  'does not parse a block of many %j',
  (marks) => {
    expect(parsedChars(marks.repeat(2_000))).toBe(0)
  },
)

test.each(['*a_', '_a*', '<', '- a\n'])('bounds the blocks with %j of a whole text', (marks) => {
  const block = `${marks.repeat(20)}\n\n`
  const text = block.repeat(CHARS / block.length)
  expect(parsedChars(text)).toBeLessThan(CHARS / 8)
  expect(parsedChars(text)).toBeGreaterThan(0)
})

test('shows long code between fences as code', () => {
  const lines = 'a[*b_]\n'.repeat(20_000)
  expect(partsOf(`# Title\n\n\`\`\`ts\n${lines}\`\`\`\nText`)).toEqual([
    { kind: 'markdown', text: '# Title\n\n' },
    { kind: 'code', text: lines.slice(0, -1) },
    { kind: 'markdown', text: 'Text\n' },
  ])
})
