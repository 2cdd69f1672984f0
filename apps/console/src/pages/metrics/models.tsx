import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { millis } from '@slipway/words/times'

import { visible } from '../../text/visible.ts'
import { TableFrame } from '../../ui/table-frame.tsx'

type Group = Schemas['MetricsGroup']

/** What the calls of each model cost, the most expensive first. */
export function Models({ groups }: { readonly groups: readonly Group[] }) {
  const most = Math.max(...groups.map(({ cost_usd: cost = 0 }) => cost))
  const sorted = groups.toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0))
  return (
    <section aria-labelledby="models">
      <h2 id="models">Cost by model</h2>
      {groups.length === 0 ? (
        <p className="faint">No call of a model in this time.</p>
      ) : (
        <TableFrame label="Table of models">
          <table>
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col" className="number">
                  Cost
                </th>
                <th scope="col">
                  <span className="hidden">Share of the highest cost</span>
                </th>
                {['Calls', 'Failed', 'Median', '95th percentile', 'Tokens'].map((title) => (
                  <th key={title} scope="col" className="number">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted.map((group) => (
                <ModelRow key={`model ${group.name}`} group={group} most={most} />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </section>
  )
}

function ModelRow({ group, most }: { readonly group: Group; readonly most: number }) {
  const { name, cost_usd: cost, error_count: errors } = group
  const percent = most === 0 ? 0 : (100 * (cost ?? 0)) / most
  return (
    <tr>
      <th scope="row" className="line">
        <bdi>{name === undefined ? 'all others' : visible(name) || '(no name)'}</bdi>
      </th>
      <td className="number">{dollars(cost)}</td>
      <td className="share">
        <span aria-hidden="true" style={{ width: `${percent}%` }} />
      </td>
      <td className="number">{compact(group.request_count)}</td>
      <td className={errors > 0 ? 'number bad' : 'number'}>{compact(errors)}</td>
      <td className="number">{millis(group.p50_latency_ms)}</td>
      <td className="number">{millis(group.p95_latency_ms)}</td>
      <td className="number">{compact(group.input_tokens + group.output_tokens)}</td>
    </tr>
  )
}
