import { ApiError, ConnectionError } from '@slipway/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { isNoAccount, isNotFound, profileQuery } from '../api/queries.ts'
import { SESSION_KEY } from '../api/session.ts'
import { forgetDenied } from './denied.ts'

/**
 * Reads again what explains a failure on all pages: the session, if the request was not signed in
 * or the server is away; the accounts, if one of them is not there.
 */
function explain(error: unknown): void {
  const isAway = error instanceof ConnectionError
  if (isAway || (error instanceof ApiError && error.status === 401))
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY }, { cancelRefetch: !isAway })
  if (isNoAccount(error)) void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (error instanceof ApiError) forgetDenied(error.status, query)
      explain(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      explain(error)
      // Somebody else has deleted it, so what the page shows is out of date.
      if (isNotFound(error)) void queryClient.invalidateQueries()
    },
  }),
  defaultOptions: {
    queries: {
      // The client repeats requests itself.
      retry: false,
      staleTime: 2_000,
      refetchOnWindowFocus: true,
      // A browser that calls itself offline may still reach the server, for example on this machine
      // or through some VPNs. If it can't, a page must say so, and not wait silently.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // A change must fail while the server can't be reached, and not happen later.
    mutations: { networkMode: 'always' },
  },
})
