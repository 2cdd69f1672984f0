import type { QueryClient } from '@tanstack/react-query'

import { SESSION_KEY, type Session } from '../api/session.ts'

const CHANNEL = 'slipway-session'

/**
 * Forgets what a user could see when another user, or no one, is signed in. Other tabs of the
 * browser then read the session again too. A page shows one user until it is loaded again, which
 * `onOtherUser` has to do. Returns what ends this.
 */
export function watchUser(queryClient: QueryClient, onOtherUser: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', () => {
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
  })
  let known: string | null | undefined
  let shown: string | undefined
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
    shown ??= id ?? undefined
    if (id !== null && id !== shown) onOtherUser()
  })
  return () => {
    unsubscribe()
    channel.close()
  }
}
