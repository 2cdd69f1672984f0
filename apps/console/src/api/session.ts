import { queryOptions } from '@tanstack/react-query'

import { showUser } from './shown-user.ts'

/** Who is signed in, and until when. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly email?: string }
  readonly expires_at: string
  readonly idle_expires_at: string
}

/** A server that does not respond within this time is away. */
const PATIENCE_MS = 10_000

export const SESSION_KEY = ['session'] as const

/** The session of this browser; null if no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch('/auth/session', { signal: AbortSignal.any([signal, patience]) })
    if (response.status === 401) return null
    if (!response.ok) throw new Error(`the session can't be read: status ${response.status}`)
    const session = (await response.json()) as Session
    showUser(session.user.id)
    return session
  },
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.status === 'error' ? 3_000 : 300_000),
})

/** The address that signs in, and returns to this path of the console. */
export function signInUrl(returnTo: string): string {
  return `/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`
}

/** Ends the session here, or with `everywhere` all sessions of the user. */
export async function signOut(everywhere: boolean): Promise<void> {
  const query = everywhere ? '?everywhere=true' : ''
  let response: Response
  try {
    response = await fetch(`/auth/sign-out${query}`, { method: 'POST' })
  } catch {
    throw new Error('Slipway does not answer. You are still signed in.')
  }
  if (!response.ok && response.status !== 401)
    throw new Error(
      `The server could not end your session: status ${response.status}. This browser has ` +
        'forgotten it. To be sure that it ends, sign in again, and sign out everywhere.',
    )
}
