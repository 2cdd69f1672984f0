import { createClient, type ClientOptions } from '@slipway/client'

import { shownUser } from './shown-user.ts'

/** A client of the API. The session's cookie identifies the user, so it has no token. */
export function createPageClient(options: Omit<ClientOptions, 'url' | 'token' | 'fetch'>) {
  return createClient({
    ...options,
    url: window.location.origin,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      const user = shownUser()
      if (user !== undefined) headers.set('slipway-user', user)
      return await fetch(url, { ...init, headers })
    },
  })
}

/** The client that pages share. */
export const client = createPageClient({
  // A page says soon that the server is away, and tries again.
  retries: { attempts: 3, totalMs: 10_000 },
})
