import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'

import { catalogQuery } from '../../api/queries.ts'
import { withFilter } from '../../app/search.ts'
import { visible } from '../../text/visible.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useTitle } from '../../ui/use-title.ts'

const route = getRouteApi('/catalog')

/** The published agents of all accounts. */
export function CatalogPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(catalogQuery(search))
  const isFiltered = Object.keys(search).length > 0
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
      {data?.agents.length === 0 && isFiltered && <Empty title="No agent matches" />}
      {data?.agents.length === 0 && !isFiltered && (
        <Empty title="No agent is published yet">
          <Command>slipway push &amp;&amp; slipway publish</Command>
        </Empty>
      )}
      <ul className="cards">
        {data?.agents.map((agent) => (
          <AgentCard key={`${agent.account}/${agent.name}`} agent={agent} />
        ))}
      </ul>
      {data?.next_cursor !== undefined && (
        <p className="faint">There are more agents: search for the one that you need.</p>
      )}
    </>
  )
}

function AgentCard({ agent }: { readonly agent: Schemas['PublicAgent'] }) {
  const { account, name, versions } = agent
  const newest = versions[0]
  return (
    <li className="card">
      <h2>
        <Link to="/catalog/$account/$name" params={{ account, name }}>
          <span className="faint">{account}/</span>
          {name}
        </Link>
      </h2>
      <p>{visible(newest?.description ?? '') || <span className="faint">No description</span>}</p>
      <p className="tags">
        {newest?.version !== undefined && <code>{newest.version}</code>}
        {newest?.tags.map((tag) => (
          <Link key={tag} to="/catalog" search={{ tag }} className="tag">
            {visible(tag)}
          </Link>
        ))}
      </p>
    </li>
  )
}
