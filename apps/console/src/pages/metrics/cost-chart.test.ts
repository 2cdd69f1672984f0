import type { Schemas } from '@slipway/client'
import { expect, test } from 'vitest'

import { costChart } from './cost-chart.ts'

const [FIRST, SECOND] = ['2026-11-24T10:00:00.000Z', '2026-11-24T11:00:00.000Z'] as const

const bucket = (timestamp: string, cost_usd: number) =>
  ({ timestamp, cost_usd }) as Schemas['MetricsBucket']

/** A group with its cost in the two buckets; 0 is a bucket without calls. */
function group(name: string | undefined, ...costs: readonly [number, number]) {
  const buckets = [FIRST, SECOND].map((timestamp, at) => ({ timestamp, cost_usd: costs[at] }))
  return {
    ...(name === undefined ? {} : { name }),
    cost_usd: costs[0] + costs[1],
    buckets: buckets.filter(({ cost_usd }) => cost_usd !== 0),
  } as Schemas['MetricsGroup']
}

/** What the lines of a plot show of a bucket. */
const shown = (groups: readonly Schemas['MetricsGroup'][], timestamp: string) =>
  costChart(groups).lines.map(({ label, value, height }) => [
    label,
    value(bucket(timestamp, 9)),
    height?.(bucket(timestamp, 9)),
  ])

test('puts the models on top of each other, the most expensive one at the top', () => {
  const groups = [group('small', 0.5, 0), group('large', 2, 4)]
  expect(shown(groups, FIRST)).toEqual([
    ['large', 2, 2.5],
    ['small', 0.5, 0.5],
  ])
  expect(shown(groups, SECOND)).toEqual([
    ['large', 4, 4],
    ['small', undefined, 0],
  ])
})

test('puts all but the four most expensive models together', () => {
  const models = ['a', 'b', 'c', 'd', 'e'].map((name, index) => group(name, 9 - index, 0))
  expect(shown([...models, group(undefined, 100, 0)], FIRST).map(([label]) => label)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'all others',
  ])
  expect(shown([...models, group(undefined, 100, 0)], FIRST).at(-1)).toEqual([
    'all others',
    105,
    105,
  ])
})

test('shows the whole cost if the cost of no model is known', () => {
  expect(shown([group('free', 0, 0)], FIRST)).toEqual([['US dollars', 9, undefined]])
})
