import type { Schemas } from '@slipway/client'
import { dollars } from '@slipway/words/numbers'

import type { ColorName } from '../../ui/colors.ts'
import { visible } from '../../text/visible.ts'
import type { ChartKind, Line } from './charts.ts'

type Bucket = Schemas['MetricsBucket']
type Group = Schemas['MetricsGroup']

/** The most expensive model has the first one. */
const COLORS: readonly ColorName[] = ['--accent', '--series-2', '--series-3', '--series-4']
const COLOR_OF_OTHERS: ColorName = '--faint'

/** A model, or all others together, with its cost by the start of the bucket. */
interface Model {
  readonly label: string
  readonly color: ColorName
  readonly costs: ReadonlyMap<string, number>
}

/**
 * The plot of the cost: a bar for each bucket, of the most expensive models on top of each other,
 * or one of the whole cost if the cost of no model is known.
 */
export function costChart(groups: readonly Group[]): ChartKind {
  const models = modelsOf(groups)
  const whole: Line = {
    label: 'US dollars',
    color: '--accent',
    shape: 'bars',
    value: ({ cost_usd: cost }) => cost,
  }
  const lines = models.map(({ label, color, costs }, index): Line => {
    const below = models.slice(index)
    return {
      label,
      color,
      shape: 'bars',
      value: ({ timestamp }) => costs.get(timestamp),
      height: (bucket) => below.reduce((sum, each) => sum + costIn(each, bucket), 0),
    }
  })
  return { title: 'Cost', format: dollars, lines: lines.length === 0 ? [whole] : lines }
}

function modelsOf(groups: readonly Group[]): readonly Model[] {
  const paid = groups
    .filter(({ cost_usd: cost = 0 }) => cost > 0)
    .toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0))
  const named = paid.filter(({ name }) => name !== undefined).slice(0, COLORS.length)
  const others = paid.filter((group) => !named.includes(group))
  const models = named.map((group, index) => ({
    label: visible(group.name ?? '') || '(no name)',
    color: COLORS[index] ?? COLOR_OF_OTHERS,
    costs: costsOf([group]),
  }))
  if (others.length === 0) return models
  return [...models, { label: 'all others', color: COLOR_OF_OTHERS, costs: costsOf(others) }]
}

function costsOf(groups: readonly Group[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>()
  for (const { timestamp, cost_usd: cost = 0 } of groups.flatMap(({ buckets = [] }) => buckets))
    costs.set(timestamp, (costs.get(timestamp) ?? 0) + cost)
  return costs
}

function costIn({ costs }: Model, { timestamp }: Bucket): number {
  return costs.get(timestamp) ?? 0
}
