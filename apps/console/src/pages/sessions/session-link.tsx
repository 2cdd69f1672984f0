import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'

interface SessionLinkProps {
  readonly agent: AgentPath
  readonly id: string
}

/** Leads to a session with its turns. */
export function SessionLink({ agent, id }: SessionLinkProps) {
  // Browsers change a path that ends with these ids.
  if (id === '.' || id === '..')
    return (
      <Link
        to="/accounts/$account/deployments/$name/traces"
        params={agent}
        search={{ session: id, since: '30d' }}
      >
        {id}
      </Link>
    )
  return (
    <Link to="/accounts/$account/deployments/$name/sessions/turns" params={agent} search={{ id }}>
      {visible(id)}
    </Link>
  )
}
