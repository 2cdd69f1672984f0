import { expect, test } from 'vitest'

import { readmeSummary } from './readme-summary.ts'

test('returns the first paragraph without headings, badges and markup', () => {
  const readme =
    '# Handbook\r\n\r\n![badge](https://example.com/x.svg)\r\n\r\n' +
    'Answers **questions** about the [handbook](https://example.com).\r\n' +
    'Uses `search`.\r\n\r\nMore.'
  expect(readmeSummary(readme)).toEqual(['Answers questions about the handbook.', 'Uses search.'])
})

test('returns nothing for a readme of headings', () => {
  expect(readmeSummary('# A\n\n## B\n')).toEqual([])
})

test('returns at most five lines', () => {
  expect(readmeSummary('a\nb\nc\nd\ne\nf')).toHaveLength(5)
})
