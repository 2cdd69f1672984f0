import type { QueryClient } from '@tanstack/react-query'

import { SESSION_KEY } from '../api/session.ts'

/**
 * Repeats what has failed once the server responds again, so that no page needs a click or a
 * reload. Returns what ends this.
 */
export function watchServer(queryClient: QueryClient): () => void {
  let wasAway = false
  return queryClient.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    if (queryKey[0] !== SESSION_KEY[0]) return
    const isBack = wasAway && state.status === 'success'
    wasAway = state.status === 'error'
    if (isBack)
      void queryClient.refetchQueries({
        type: 'active',
        predicate: ({ state: { status } }) => status === 'error',
      })
  })
}
