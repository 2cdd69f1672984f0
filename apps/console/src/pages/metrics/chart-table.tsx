import type { Schemas } from '@slipway/client'
import { localTime } from '@slipway/words/times'

import { TableFrame } from '../../ui/table-frame.tsx'
import { valueText, type ChartKind } from './charts.ts'

interface ChartTableProps {
  readonly kind: ChartKind
  readonly buckets: readonly Schemas['MetricsBucket'][]
}

/** The numbers of a plot: a row for each bucket of time. */
export function ChartTable({ kind, buckets }: ChartTableProps) {
  return (
    <div className="chart-table">
      <TableFrame label={`Table of ${kind.title.toLowerCase()}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {kind.lines.map(({ label }) => (
                <th key={label} scope="col" className="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.timestamp}>
                <th scope="row">{localTime(bucket.timestamp)}</th>
                {kind.lines.map(({ label, value }) => (
                  <td key={label} className="number">
                    {valueText(kind, value(bucket))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </div>
  )
}
