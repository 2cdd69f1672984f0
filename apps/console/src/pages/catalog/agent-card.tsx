import type { Schemas } from '@slipway/client'
import { Link } from '@tanstack/react-router'

import type { CatalogSearch } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'

/** An agent in the catalog, or of an account. */
export type ListedAgent = Schemas['PublicAgent'] | Schemas['AccountAgent']

interface AgentCardProps {
  readonly agent: ListedAgent
  readonly search: CatalogSearch
}

/** An agent with its description, newest version and tags. */
export function AgentCard({ agent, search }: AgentCardProps) {
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
        {newest?.version === undefined ? (
          <span className="faint">newest build not published</span>
        ) : (
          <code>{newest.version}</code>
        )}
        {newest?.tags.map((tag) => (
          <Link key={tag} to="/catalog" search={{ ...search, tag }} className="tag">
            {visible(tag)}
          </Link>
        ))}
      </p>
    </li>
  )
}
