import type { QueryClient } from '@tanstack/react-query'

import { SESSION_KEY, type Session } from '../api/session.ts'

const CHANNEL = 'slipway-session'

/**
 * Forgets what a user could see when another user, or no one, is signed in. Other tabs of the
 * browser then read the session again too. Returns what ends this.
 */
export function watchUser(queryClient: QueryClient): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', () => {
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
  })
  let known: string | null | undefined
  const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== SESSION_KEY[0]) return
    const session = query.state.data as Session | null | undefined
    if (session === undefined) return
    const id = session?.user.id ?? null
    if (id === known) return
    if (known !== undefined)
      queryClient.removeQueries({ predicate: ({ queryKey: [kind] }) => kind !== SESSION_KEY[0] })
    known = id
    channel.postMessage(null)
  })
  return () => {
    unsubscribe()
    channel.close()
  }
}
