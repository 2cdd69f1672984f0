import type { Schemas } from '@slipway/client'
import { compact } from '@slipway/words/numbers'
import { millis } from '@slipway/words/times'

import type { ColorName } from '../../ui/colors.ts'

type Bucket = Schemas['MetricsBucket']

/** One number of each bucket of time. */
export interface Line {
  readonly label: string
  readonly color: ColorName
  readonly shape: 'bars' | 'line'
  /** The value; undefined if it is unknown. */
  readonly value: (bucket: Bucket) => number | undefined
  /** How high it is drawn, if that is not its value: on top of other bars. */
  readonly height?: (bucket: Bucket) => number
}

/** A plot with its title and its lines. */
export interface ChartKind {
  readonly title: string
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
  /** Its values are whole numbers. */
  readonly isCount?: true
}

/** The latency of no runs is unknown, and not 0. */
function latency(of: (bucket: Bucket) => number): Line['value'] {
  return (bucket) => (bucket.trace_count === 0 ? undefined : of(bucket))
}

/** The plots of the page, in their order, without that of the cost. */
export const CHARTS: readonly ChartKind[] = [
  {
    title: 'Runs',
    isCount: true,
    format: compact,
    lines: [
      { label: 'runs', color: '--accent', shape: 'bars', value: (of) => of.trace_count },
      { label: 'failed', color: '--bad', shape: 'bars', value: (of) => of.error_count },
    ],
  },
  {
    title: 'Latency',
    format: millis,
    lines: [
      {
        label: 'median',
        color: '--accent',
        shape: 'line',
        value: latency((of) => of.p50_latency_ms),
      },
      {
        label: '95th percentile',
        color: '--warning',
        shape: 'line',
        value: latency((of) => of.p95_latency_ms),
      },
    ],
  },
  {
    title: 'Tokens',
    isCount: true,
    format: compact,
    lines: [
      { label: 'input', color: '--accent', shape: 'line', value: (of) => of.input_tokens },
      { label: 'output', color: '--good', shape: 'line', value: (of) => of.output_tokens },
    ],
  },
]

/** A value in words; unknown ones are a dash. */
export function valueText({ format }: ChartKind, value: number | undefined): string {
  return value === undefined ? '-' : format(value)
}
