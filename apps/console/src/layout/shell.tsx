import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'

import { profileQuery } from '../api/queries.ts'
import type { Session } from '../api/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { accountToShow, lastAccount, rememberAccount } from './account-choice.ts'
import { rememberNames, renamedTo } from './account-names.ts'
import { Brand } from './brand.tsx'
import { OtherUser } from './other-user.tsx'
import { Palette } from './palette/palette.tsx'
import { Renamed } from './renamed.tsx'
import { RouteFocus } from './route-focus.tsx'
import { UserMenu } from './user-menu.tsx'

const NONE: readonly Schemas['ProfileAccount'][] = []

interface ShellProps {
  readonly session: Session
  readonly isReachable: boolean
  readonly children: ReactNode
}

/** The frame of all pages: account, navigation, user. */
export function Shell({ session, isReachable, children }: ShellProps) {
  const profile = useQuery(profileQuery)
  const { account: given, source } = useParams({ strict: false })
  const accounts = profile.data?.accounts ?? NONE
  const isOwn = accounts.some(({ name }) => name === given)
  // That of the address is shown at once, so that the bar keeps its height.
  const account = accountToShow(accounts, given) ?? (profile.isPending ? given : undefined)
  const isUnknown = account === undefined && profile.isPending
  useEffect(() => {
    if (isOwn && given !== undefined) rememberAccount(given)
  }, [isOwn, given])
  useEffect(() => rememberNames(accounts), [accounts])
  const [renamed] = [given, source].flatMap((from) => {
    const to = from === undefined ? undefined : renamedTo(from, accounts)
    return from === undefined || to === undefined ? [] : { from, to }
  })

  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="top-bar">
        <Link to="/" className="home" aria-label="Slipway: your deployments">
          <Brand />
        </Link>
        {account !== undefined && <AccountMenu current={account} accounts={accounts} />}
        {isUnknown && <Place className="menu-button">{lastAccount()} ▾</Place>}
        <nav aria-label="Main">
          {account !== undefined && (
            <Link to="/accounts/$account/deployments" params={{ account }}>
              Deployments
            </Link>
          )}
          {isUnknown && <Place className="main-link">Deployments</Place>}
          <Link to="/catalog">Catalog</Link>
          {account !== undefined && (
            <Link to="/accounts/$account" params={{ account }} activeOptions={{ exact: true }}>
              Account
            </Link>
          )}
          {isUnknown && <Place className="main-link">Account</Place>}
        </nav>
        <span className="spacer" />
        <Palette account={account} accounts={accounts} />
        <UserMenu session={session} />
      </header>
      {!isReachable && (
        <p className="banner" role="status">
          Slipway does not answer. What you see may be outdated; the console tries again.
        </p>
      )}
      <OtherUser name={session.user.name} />
      <main id="content" tabIndex={-1}>
        {renamed === undefined ? children : <Renamed {...renamed} />}
      </main>
      <RouteFocus />
    </>
  )
}

interface PlaceProps {
  readonly className: string
  readonly children: ReactNode
}

/** Nothing, in the place of what appears when the accounts are known. */
function Place({ className, children }: PlaceProps) {
  return (
    <span className={`${className} place`} aria-hidden="true">
      {children}
    </span>
  )
}
