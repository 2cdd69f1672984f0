import { ApiError } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { createPageClient } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'

/** Whether the page shows changes as they happen. */
export type Liveness = 'connecting' | 'live' | 'interrupted' | 'ended'

/**
 * Reads a deployment again whenever it has an event. Without a deployment, or while it is being
 * removed, there is nothing to connect to.
 */
export function useLiveEvents({ account, name }: AgentPath, isDeployed: boolean): Liveness {
  const queryClient = useQueryClient()
  const [liveness, setLiveness] = useState<Liveness>('connecting')
  useEffect(() => {
    if (!isDeployed) return
    const ended = new AbortController()
    const refresh = () => {
      for (const kind of ['deployment', 'revisions'])
        void queryClient.invalidateQueries({ queryKey: [kind, account, name] })
    }
    const client = createPageClient({
      onResponse: ({ status }) => setLiveness(status === 200 ? 'live' : 'interrupted'),
      onRetry: () => setLiveness('interrupted'),
    })
    const follow = async () => {
      const options = { signal: ended.signal, continueMs: Infinity }
      for await (const _ of client.deploymentEvents({ account, name }, options)) refresh()
      setLiveness('ended')
      refresh()
    }
    follow().catch((error: unknown) => {
      setLiveness('interrupted')
      // It is not deployed, or the session has ended: the page says so when it reads it again.
      if (error instanceof ApiError) refresh()
    })
    return () => {
      ended.abort()
      setLiveness('connecting')
    }
  }, [account, name, isDeployed, queryClient])
  return isDeployed ? liveness : 'ended'
}
