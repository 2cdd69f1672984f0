import type { Schemas } from '@slipway/client'
import { localTime } from '@slipway/words/times'
import { useId, useState } from 'react'

import { ChartTable } from './chart-table.tsx'
import { valueText, type ChartKind } from './charts.ts'
import { Plot } from './plot.tsx'

interface ChartProps {
  readonly kind: ChartKind
  readonly metrics: Schemas['Metrics']
  readonly deploys: readonly Schemas['Revision'][]
  readonly onZoom: (start: number, end: number) => void
}

/** A plot with its title, or the same numbers as a table. */
export function Chart({ kind, metrics, deploys, onZoom }: ChartProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const [point, setPoint] = useState<number>()
  const { buckets, interval_minutes: minutes } = metrics
  const times = buckets.map(({ timestamp }) => Date.parse(timestamp) / 1000)
  const pointed = point === undefined ? undefined : buckets[point]
  return (
    <section className="chart" aria-labelledby={id}>
      <header>
        <h2 id={id}>{kind.title}</h2>
        <ul className="legend">
          {kind.lines.map(({ label, color, value }) => (
            <li key={label}>
              <span aria-hidden="true" className="swatch" style={{ background: `var(${color})` }} />
              <bdi>{label}</bdi>
              {pointed !== undefined && !isTable && <b>{valueText(kind, value(pointed))}</b>}
            </li>
          ))}
          {pointed !== undefined && !isTable && (
            <li className="faint">{localTime(pointed.timestamp)}</li>
          )}
        </ul>
        <button
          type="button"
          className="button small"
          aria-pressed={isTable}
          aria-label={`${kind.title} as a table`}
          onClick={() => setTable(!isTable)}
        >
          Table
        </button>
      </header>
      {isTable ? (
        <ChartTable kind={kind} buckets={buckets} />
      ) : (
        <Plot
          // A plot is made for the lines that it has at first.
          key={kind.lines.map(({ label }) => label).join(' ')}
          kind={kind}
          buckets={buckets}
          start={times[0] ?? 0}
          end={(times.at(-1) ?? 0) + minutes * 60}
          deploys={deploys}
          onZoom={onZoom}
          onPoint={setPoint}
          description={descriptionOf(kind, buckets)}
        />
      )}
    </section>
  )
}

/** The highest value of each line; the table has all of them. */
function descriptionOf(kind: ChartKind, buckets: readonly Schemas['MetricsBucket'][]): string {
  const highest = kind.lines.map(({ label, value }) => {
    const known = buckets.flatMap((each) => value(each) ?? [])
    return `${label} at most ${known.length === 0 ? 'unknown' : kind.format(Math.max(...known))}`
  })
  return `${kind.title} over time: ${highest.join(', ')}. The button Table has all values.`
}
