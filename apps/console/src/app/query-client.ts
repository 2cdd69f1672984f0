import { ApiError } from '@slipway/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { SESSION_KEY } from '../api/session.ts'
import { forgetDenied } from './denied.ts'

/** Looks at the session again when a request was not signed in: the sign-in page is shown then. */
function checkSession(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (error instanceof ApiError) forgetDenied(error.status, query)
      checkSession(error)
    },
  }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: {
      // The client repeats requests itself.
      retry: false,
      staleTime: 2_000,
      refetchOnWindowFocus: true,
    },
    // A change must fail while the browser is offline, and not happen later.
    mutations: { networkMode: 'always' },
  },
})
