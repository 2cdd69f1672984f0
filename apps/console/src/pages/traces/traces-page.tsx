import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import { TRACES_PER_PAGE, tracesQuery, type TraceSearch } from '../../api/trace-queries.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { TraceFilters } from './trace-filters.tsx'
import { TraceTable } from './trace-table.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/traces')

/** The traces of an agent, the newest first. */
export function TracesPage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(tracesQuery(agent, search))
  useTitle(`Traces of ${agent.name}`)
  const change = (next: TraceSearch) => void navigate({ search: next, replace: true })
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <TraceFilters search={search} onChange={change} />
      {error !== null && (
        <Problem error={error} what="The traces can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the traces" />}
      {data?.traces.length === 0 && isFiltered && <Empty title="No trace matches the filters" />}
      {data?.traces.length === 0 && !isFiltered && (
        <Empty title="There are no traces yet">
          <p>They arrive when the agent answers. Ask it something:</p>
          <Command>{`slipway open ${agent.account}/${agent.name}`}</Command>
        </Empty>
      )}
      {data !== undefined && data.traces.length > 0 && (
        <>
          <TraceTable agent={agent} traces={data.traces} />
          <Pages search={search} total={data.total} shown={data.traces.length} onChange={change} />
        </>
      )}
    </>
  )
}

interface PagesProps {
  readonly search: TraceSearch
  readonly total: number
  readonly shown: number
  readonly onChange: (search: TraceSearch) => void
}

function Pages({ search, total, shown, onChange }: PagesProps) {
  const { offset = 0, ...filters } = search
  const goTo = (to: number) => onChange(to <= 0 ? filters : { ...filters, offset: to })
  return (
    <nav className="pages" aria-label="Pages of traces">
      <span className="faint">
        {offset + 1} to {offset + shown} of {total}
      </span>
      <button
        type="button"
        className="button small"
        disabled={offset === 0}
        onClick={() => goTo(offset - TRACES_PER_PAGE)}
      >
        Newer
      </button>
      <button
        type="button"
        className="button small"
        disabled={offset + shown >= total}
        onClick={() => goTo(offset + TRACES_PER_PAGE)}
      >
        Older
      </button>
    </nav>
  )
}
