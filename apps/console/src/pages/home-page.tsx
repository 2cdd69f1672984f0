import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'

import { profileQuery } from '../api/queries.ts'
import { lastAccount } from '../layout/account-choice.ts'
import { Loading } from '../ui/loading.tsx'
import { Problem } from '../ui/problem.tsx'

/** Leads to the deployments of the account that was used last. */
export function HomePage() {
  const { data, error, refetch } = useQuery(profileQuery)
  if (data === undefined) {
    if (error === null) return <Loading what="your accounts" />
    return <Problem error={error} what="Your accounts can't be read" retry={() => void refetch()} />
  }
  const last = lastAccount()
  const account = data.accounts.find(({ name }) => name === last) ?? data.accounts[0]
  if (account === undefined) return <Navigate to="/catalog" replace />
  const params = { account: account.name }
  return <Navigate to="/accounts/$account/deployments" params={params} replace />
}
