import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'

import { accountAgentsQuery, catalogQuery, profileQuery } from '../../api/queries.ts'
import { withFilter } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AgentCard } from './agent-card.tsx'
import { matchingAgents } from './matching-agents.ts'

const route = getRouteApi('/catalog')

/** The published agents of all accounts, or the agents of one. */
export function CatalogPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { account, ...words } = search
  const published = useQuery({ ...catalogQuery(words), enabled: account === undefined })
  const own = useQuery({ ...accountAgentsQuery(account ?? ''), enabled: account !== undefined })
  const { data, error, refetch } = account === undefined ? published : own
  const agents = account === undefined ? data?.agents : data && matchingAgents(data.agents, words)
  const { data: profile } = useQuery(profileQuery)
  const accounts = new Set([
    ...(profile?.accounts ?? []).map(({ name }) => name),
    ...(account === undefined ? [] : [account]),
  ])
  const isFiltered = Object.keys(words).length > 0
  useTitle('Catalog')
  const setWords = useCallback(
    (q: string) =>
      void navigate({
        search: (known) => withFilter(known, 'q', q),
        replace: true,
      }),
    [navigate],
  )
  return (
    <>
      <h1>Catalog</h1>
      <div className="toolbar">
        <SearchField label="Search agents" value={search.q ?? ''} onChange={setWords} />
        <label className="choice">
          Agents of
          <select
            className="field"
            value={account ?? ''}
            onChange={({ target: { value } }) =>
              void navigate({ search: (known) => withFilter(known, 'account', value) })
            }
          >
            <option value="">all accounts, published</option>
            {[...accounts].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {search.tag !== undefined && (
          <Link to="/catalog" search={withFilter(search, 'tag', '')} className="button small">
            Tag {visible(search.tag)} ✕<span className="hidden"> remove the filter</span>
          </Link>
        )}
      </div>
      {error !== null && (
        <Problem error={error} what="The catalog can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the catalog" />}
      {agents?.length === 0 && isFiltered && <Empty title="No agent matches" />}
      {agents?.length === 0 && !isFiltered && (
        <Empty
          title={
            account === undefined ? 'No agent is published yet' : `${account} has no agent yet`
          }
        >
          <Command>
            {account === undefined ? 'slipway push && slipway publish' : 'slipway push'}
          </Command>
        </Empty>
      )}
      <ul className="cards">
        {agents?.map((agent) => (
          <AgentCard key={`${agent.account}/${agent.name}`} agent={agent} search={search} />
        ))}
      </ul>
      {data?.next_cursor !== undefined && (
        <p className="faint">There are more agents: search for the one that you need.</p>
      )}
    </>
  )
}
