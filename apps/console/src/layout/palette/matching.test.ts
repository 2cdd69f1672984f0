import { expect, test } from 'vitest'

import { matching } from './matching.ts'

const item = (label: string, hint?: string) => ({
  id: label,
  label,
  ...(hint !== undefined && { hint }),
  run: () => {},
})
const groups = [
  { value: 'Pages', items: [item('Catalog'), item('Logs of support-agent')] },
  { value: 'Deployments', items: [item('support-agent', 'degraded'), item('billing', 'ready')] },
]
const labels = (words: string) =>
  matching(groups, words).map(({ value, items }) => [value, ...items.map(({ label }) => label)])

test('finds what has all words, in any order and case, also in what is known about it', () => {
  expect(labels('Support LOGS')).toEqual([['Pages', 'Logs of support-agent']])
  expect(labels('degr')).toEqual([['Deployments', 'support-agent']])
})

test('has everything without words, and nothing if nothing matches', () => {
  expect(labels(' ')).toHaveLength(2)
  expect(labels('nothing')).toEqual([])
})

test('bounds the items of a group', () => {
  const many = { value: 'Agents', items: Array.from({ length: 300 }, (_, at) => item(`a${at}`)) }
  expect(matching([many], '')[0]?.items).toHaveLength(20)
})
