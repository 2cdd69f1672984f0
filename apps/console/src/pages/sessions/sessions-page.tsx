import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import {
  agentSessionsQuery,
  SESSIONS_PER_PAGE,
  type SessionsSearch,
} from '../../api/agent-sessions.ts'
import { withFilter } from '../../address/search.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Pages } from '../../ui/pages.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { SessionFilters } from './session-filters.tsx'
import { SessionTable } from './session-table.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/sessions')

/** The conversations with an agent, by their last turns. */
export function SessionsPage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(agentSessionsQuery(agent, search))
  useTitle(`Sessions of ${agent.name}`)
  const change = (next: SessionsSearch) => void navigate({ search: next, replace: true })
  const isFiltered = Object.keys(search).some((name) => name !== 'since')
  return (
    <>
      <SessionFilters search={search} onChange={change} />
      {error !== null && (
        <Problem error={error} what="The sessions can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the sessions" />}
      {data?.sessions.length === 0 && (
        <Empty title={isFiltered ? 'No session matches the filters' : 'No sessions in this time'}>
          {!isFiltered && (
            <p>
              A session consists of the traces with the same session id, for example{' '}
              <code>gen_ai.conversation.id</code>. Choose a longer time, or let the agent send one.
            </p>
          )}
        </Empty>
      )}
      {data !== undefined && data.sessions.length > 0 && (
        <>
          <SessionTable agent={agent} sessions={data.sessions} />
          <Pages
            label="Pages of sessions"
            words={['Newer', 'Older']}
            offset={data.offset}
            shown={data.sessions.length}
            total={data.total}
            perPage={SESSIONS_PER_PAGE}
            onChange={(offset) => change(withFilter(search, 'offset', offset ?? ''))}
          />
        </>
      )}
    </>
  )
}
