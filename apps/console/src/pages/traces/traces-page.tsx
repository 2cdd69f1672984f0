import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import { TRACES_PER_PAGE, tracesQuery, type TraceSearch } from '../../api/trace-queries.ts'
import { withFilter } from '../../address/search.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Pages } from '../../ui/pages.tsx'
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
  const isFiltered = Object.keys(search).some((name) => name !== 'since')
  return (
    <>
      <TraceFilters search={search} onChange={change} />
      {error !== null && (
        <Problem error={error} what="The traces can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the traces" />}
      {data?.traces.length === 0 && isFiltered && <Empty title="No trace matches the filters" />}
      {data?.traces.length === 0 && !isFiltered && (
        <Empty title="There are no traces in this time">
          <p>They arrive when the agent answers. Choose a longer time, or ask it something:</p>
          <Command>{`slipway open ${agent.account}/${agent.name}`}</Command>
        </Empty>
      )}
      {data !== undefined && data.traces.length > 0 && (
        <>
          <TraceTable agent={agent} traces={data.traces} />
          <Pages
            label="Pages of traces"
            words={['Newer', 'Older']}
            offset={data.offset}
            shown={data.traces.length}
            total={data.total}
            perPage={TRACES_PER_PAGE}
            onChange={(offset) => change(withFilter(search, 'offset', offset ?? ''))}
          />
        </>
      )}
    </>
  )
}
