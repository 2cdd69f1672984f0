import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

import type { AgentPath } from '../api/queries.ts'

interface RowLinkProps {
  /** A path; its parts are encoded. */
  readonly path: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly children: ReactNode
}

/**
 * A link in a row of a list. Links of the router are computed again whenever the address changes,
 * which for a hundred of them takes longer than to draw the list.
 */
export function RowLink({ path, search, children }: RowLinkProps) {
  const router = useRouter()
  const href = search === undefined ? path : `${path}${router.options.stringifySearch(search)}`
  const open = (event: MouseEvent) => {
    if (opensElsewhere(event)) return
    event.preventDefault()
    void router.navigate({ href })
  }
  return (
    <a href={href} onClick={open}>
      {children}
    </a>
  )
}

/** The path of the pages of a deployment. */
export function deploymentPath({ account, name }: AgentPath): string {
  return `/accounts/${encodeURIComponent(account)}/deployments/${encodeURIComponent(name)}`
}

/** With these keys, browsers open links in a new tab or window, or download them. */
function opensElsewhere({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey
}
