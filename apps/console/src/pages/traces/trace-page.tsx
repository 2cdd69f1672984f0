import { compact, dollars } from '@slipway/words/numbers'
import { spanRows } from '@slipway/words/span-rows'
import { localTime, millis } from '@slipway/words/times'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { traceQuery } from '../../api/trace-queries.ts'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { deploymentPath } from '../../ui/row-link.tsx'
import { SessionLink } from '../sessions/session-link.tsx'
import { SpanDetails } from './span-details.tsx'
import { Waterfall } from './waterfall.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/traces/$traceId')

/** A trace: what happened when, and what each step got and returned. */
export function TracePage() {
  const { traceId, ...agent } = route.useParams()
  const { data: trace, error, refetch } = useQuery(traceQuery(agent, traceId))
  const rows = useMemo(() => spanRows(trace?.spans ?? []), [trace])
  const [chosen, setChosen] = useState<string>()
  useTitle(`Trace ${traceId.slice(0, 8)}`)
  if (trace === undefined) {
    if (error === null) return <Loading what="the trace" />
    return <Problem error={error} what="The trace can't be read" retry={() => void refetch()} />
  }
  const shown = rows.find(({ span }) => span.span_id === chosen) ?? rows[0]
  return (
    <>
      <h2 className="trace-title">
        Trace <code>{traceId.slice(0, 8)}</code>
        <span className={trace.status === 'error' ? 'badge bad' : 'badge good'}>
          {trace.status}
        </span>
      </h2>
      <dl className="facts">
        {[
          ['Started', localTime(trace.timestamp)],
          ['Took', millis(trace.latency_ms)],
          ['Tokens in', compact(trace.input_tokens)],
          ['Tokens out', compact(trace.output_tokens)],
          ['Cost', dollars(trace.cost_usd)],
          ['Models', trace.models.join(', ') || '-'],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        {trace.session_id !== undefined && (
          <div>
            <dt>Session</dt>
            <dd>
              <SessionLink deployment={deploymentPath(agent)} id={trace.session_id} />
            </dd>
          </div>
        )}
      </dl>
      {trace.truncated && <p className="warning">The trace has more spans than are shown.</p>}
      <div className="trace-columns">
        <Waterfall rows={rows} chosen={shown?.span.span_id} onChoose={setChosen} />
        {shown !== undefined && <SpanDetails key={shown.span.span_id} span={shown.span} />}
      </div>
    </>
  )
}
