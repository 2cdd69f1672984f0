import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import { profileQuery } from '../../api/queries.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Confirmation } from './confirmation.tsx'
import { Members } from './members.tsx'
import { Tokens } from './tokens.tsx'
import { Usage } from './usage.tsx'

const route = getRouteApi('/accounts/$account')

/** The members, machine tokens and usage of an account. */
export function AccountPage() {
  const { account } = route.useParams()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  useTitle(`Account ${account}`)
  if (profile === undefined) {
    return (
      <>
        <h1>{account}</h1>
        {error === null ? (
          <Loading what="your accounts" />
        ) : (
          <Problem error={error} what="Your accounts can't be read" retry={() => void refetch()} />
        )}
      </>
    )
  }
  const own = profile.accounts.find(({ name }) => name === account)
  if (own === undefined)
    return (
      <>
        <h1>{account}</h1>
        <Empty title={`You are not a member of ${account}`}>
          <p>An owner or admin can add you. Your user id is {profile.user.id}.</p>
        </Empty>
      </>
    )
  const viewer = { id: profile.user.id, role: own.role }
  return (
    <>
      <h1>{account}</h1>
      <p>
        A {own.type} account, in which you are {own.role === 'member' ? 'a' : 'an'} {own.role}. Your
        user id is <code>{profile.user.id}</code>: give it to those who add you to an account.
      </p>
      {!own.confirmed && <Confirmation account={account} viewer={viewer} />}
      <Usage account={account} />
      <Members key={`members ${account}`} account={account} viewer={viewer} />
      <Tokens key={`tokens ${account}`} account={account} viewer={viewer} />
    </>
  )
}
