import { createClient } from '@slipway/client'

/** The client of the API. The session's cookie identifies the user, so it has no token. */
export const client = createClient({
  url: window.location.origin,
  // A page says soon that the server is away, and tries again.
  retries: { attempts: 3, totalMs: 10_000 },
})
