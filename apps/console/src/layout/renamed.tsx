import { Link } from '@tanstack/react-router'

import { useTitle } from '../ui/use-title.ts'

interface RenamedProps {
  readonly from: string
  readonly to: string
}

/** The account in the address has another name now. Leads to the same page of it. */
export function Renamed({ from, to }: RenamedProps) {
  useTitle(`${from} is now ${to}`)
  return (
    <>
      <h1>
        The account {from} is now called {to}
      </h1>
      <p>Its deployments, traces and tokens are the same. Links with the former name fail.</p>
      <Link
        className="button primary"
        to="."
        params={(known: object) => renamed(known, from, to)}
        search
        replace
      >
        Show this page of {to}
      </Link>
    </>
  )
}

/** An account can be in an address twice: its agent, deployed in itself. */
function renamed(known: object, from: string, to: string): object {
  const entries = Object.entries(known).map(([name, value]) => [
    name,
    ACCOUNTS.has(name) && value === from ? to : value,
  ])
  return Object.fromEntries(entries) as object
}

const ACCOUNTS: ReadonlySet<string> = new Set(['account', 'source'])
