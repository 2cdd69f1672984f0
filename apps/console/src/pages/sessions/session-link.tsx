import { visible } from '../../text/visible.ts'
import { RowLink } from '../../ui/row-link.tsx'

interface SessionLinkProps {
  /** The path of the agent's deployment. */
  readonly deployment: string
  readonly id: string
}

/** Leads to a session with its turns. */
export function SessionLink({ deployment, id }: SessionLinkProps) {
  // Browsers change a path that ends with these ids.
  if (id === '.' || id === '..')
    return (
      <RowLink path={`${deployment}/traces`} search={{ session: id, since: '30d' }}>
        {id}
      </RowLink>
    )
  return (
    <RowLink path={`${deployment}/sessions/turns`} search={{ id }}>
      {visible(id)}
    </RowLink>
  )
}
