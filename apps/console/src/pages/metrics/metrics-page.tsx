import type { Schemas } from '@slipway/client'
import { compact, dollars, percent } from '@slipway/words/numbers'
import { localTime, millis } from '@slipway/words/times'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { metricsQuery } from '../../api/metrics-queries.ts'
import { revisionsQuery } from '../../api/queries.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { RangeSelect } from '../../ui/range-select.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Chart } from './chart.tsx'
import { CHARTS } from './charts.ts'
import { costChart } from './cost-chart.ts'
import { Deploys } from './deploys.tsx'
import { Models } from './models.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/metrics')
const NO_REVISIONS: readonly Schemas['Revision'][] = []
const NO_GROUPS: readonly Schemas['MetricsGroup'][] = []

/** The runs of an agent over time: how many, how long, tokens and cost, with its deploys. */
export function MetricsPage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(metricsQuery(agent, search))
  const { data: revisions = NO_REVISIONS } = useQuery(revisionsQuery(agent))
  useTitle(`Metrics of ${agent.name}`)
  const range = data?.metrics.time_range
  const deploys = useMemo(() => revisionsIn(revisions, range), [revisions, range])
  const groups = data?.metrics.groups ?? NO_GROUPS
  const charts = useMemo(() => [...CHARTS, costChart(groups)], [groups])
  const zoom = useCallback(
    (start: number, end: number) => {
      const [from, to] = [start, end].map((time) => new Date(time * 1000).toISOString())
      if (from !== undefined && to !== undefined) void navigate({ search: { from, to } })
    },
    [navigate],
  )
  return (
    <>
      <div className="toolbar">
        <RangeSelect
          since={search.since}
          onChange={(since) => void navigate({ search: since === undefined ? {} : { since } })}
        />
        {search.from !== undefined && (
          <button
            type="button"
            className="button small"
            onClick={() => void navigate({ search: {} })}
          >
            {localTime(search.from)} to {localTime(search.to ?? '')} ✕
            <span className="hidden"> show the last 24 hours</span>
          </button>
        )}
      </div>
      {error !== null && (
        <Problem error={error} what="The metrics can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the metrics" />}
      {data?.summary.total_traces === 0 && (
        <Empty title="No runs in this time">
          <p>Choose a longer time, or ask the agent something.</p>
        </Empty>
      )}
      {data !== undefined && data.summary.total_traces > 0 && (
        <>
          <Totals summary={data.summary} />
          <div className="charts">
            {charts.map((kind) => (
              <Chart
                key={kind.title}
                kind={kind}
                metrics={data.metrics}
                deploys={deploys}
                onZoom={zoom}
              />
            ))}
          </div>
          {data.metrics.tokens_estimated && (
            <p className="warning">
              Some tokens may be counted twice: many calls are in several spans.
            </p>
          )}
          <Models groups={groups} />
        </>
      )}
      <Deploys agent={agent} deploys={deploys} />
    </>
  )
}

function Totals({ summary: { metrics: all, total_traces: total } }: TotalsProps) {
  const { error_count: errors, error_rate: rate } = all
  return (
    <dl className="facts">
      {[
        ['Runs', compact(total)],
        ['Failed', errors === 0 ? '0' : `${compact(errors)} (${percent(rate)})`],
        ['Median', millis(all.p50_latency_ms)],
        ['95th percentile', millis(all.p95_latency_ms)],
        ['Tokens', compact(all.total_tokens)],
        ['Cost', dollars(all.cost_usd)],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface TotalsProps {
  readonly summary: Schemas['Summary']
}

function revisionsIn(
  revisions: readonly Schemas['Revision'][],
  range: Schemas['TimeRange'] | undefined,
): readonly Schemas['Revision'][] {
  if (range === undefined) return NO_REVISIONS
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)]
  return revisions.filter(({ created_at: time }) => {
    const created = Date.parse(time)
    return created >= start && created < end
  })
}
