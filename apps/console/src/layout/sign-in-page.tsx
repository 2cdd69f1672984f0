import { useLocation } from '@tanstack/react-router'

import { signInUrl } from '../api/session.ts'
import { shownUser } from '../api/shown-user.ts'
import { useTitle } from '../ui/use-title.ts'
import { Brand } from './brand.tsx'

/** Shown at every address to those who are not signed in. Signing in returns to that address. */
export function SignInPage() {
  const { href } = useLocation()
  useTitle('Sign in')
  return (
    <main className="sign-in">
      <Brand />
      <h1>Sign in</h1>
      {shownUser() === undefined ? (
        <p>See what your agents do: their state, logs and traces, and why a deployment fails.</p>
      ) : (
        <p role="alert">
          Your session has ended, or you have signed out. Signing in leads back to this page.
        </p>
      )}
      <a className="button primary" href={signInUrl(href)}>
        Sign in
      </a>
      <p className="faint">
        In a terminal: <code>slipway login</code>
      </p>
    </main>
  )
}
