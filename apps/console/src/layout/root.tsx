import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'

import { sessionQuery } from '../api/session.ts'
import { Loading } from '../ui/loading.tsx'
import { Brand } from './brand.tsx'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { Unreachable } from './unreachable.tsx'

/** The page that the address names, or the sign-in page for those who are not signed in. */
export function Root() {
  const session = useQuery(sessionQuery)
  // Only the root of the routes has something at the address.
  const isLost = useRouterState({ select: ({ matches }) => matches.length === 1 })
  if (session.data === null && !isLost) return <SignInPage />
  if (session.data === null)
    return (
      <main className="sign-in">
        <Brand />
        <NotFound />
      </main>
    )
  if (session.data === undefined && session.isError) return <Unreachable />
  if (session.data === undefined)
    return (
      <>
        <header className="top-bar">
          <Brand />
        </header>
        <main id="content">
          <Loading what="the session" />
        </main>
      </>
    )
  return (
    <Shell key={session.data.user.id} session={session.data} isReachable={!session.isError}>
      <Outlet />
    </Shell>
  )
}
