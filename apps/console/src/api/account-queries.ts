import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

/** The members of an account. */
export function memberListQuery(account: string) {
  return queryOptions({
    queryKey: ['member-list', account],
    queryFn: async ({ signal }) => {
      const params = { path: { account } }
      const pages = client.items('/api/v1/accounts/{account}/members', { params, signal })
      return await Array.fromAsync(pages)
    },
  })
}

/** The machine tokens of an account; only owners and admins may list them. */
export function tokensQuery(account: string) {
  return queryOptions({
    queryKey: ['tokens', account],
    queryFn: async ({ signal }) => {
      const params = { path: { account } }
      return (await client.GET('/api/v1/accounts/{account}/tokens', { params, signal })).data.tokens
    },
  })
}

/** The limits of an account, and how much of them is used. */
export function usageQuery(account: string) {
  return queryOptions({
    queryKey: ['usage', account],
    queryFn: async ({ signal }) => {
      const params = { path: { account } }
      return (await client.GET('/api/v1/accounts/{account}/usage', { params, signal })).data
    },
  })
}
