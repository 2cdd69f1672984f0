import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'

import { sessionQuery } from '../api/session.ts'
import { Loading } from '../ui/loading.tsx'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { Unreachable } from './unreachable.tsx'

/** The page that the address names, or the sign-in page for those who are not signed in. */
export function Root() {
  const session = useQuery(sessionQuery)
  if (session.data === null) return <SignInPage />
  if (session.data === undefined)
    return session.isError ? <Unreachable /> : <Loading what="the session" />
  return (
    <Shell key={session.data.user.id} session={session.data} isReachable={!session.isError}>
      <Outlet />
    </Shell>
  )
}
