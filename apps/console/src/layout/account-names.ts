import type { Schemas } from '@slipway/client'

type Account = Pick<Schemas['ProfileAccount'], 'id' | 'name'>

const KEY = 'slipway-account-names'

/** Remembers the accounts by their names in this tab, to recognize those that are renamed. */
export function rememberNames(accounts: readonly Account[]): void {
  const added = Object.fromEntries(accounts.map(({ id, name }) => [name, id]))
  sessionStorage.setItem(KEY, JSON.stringify({ ...knownNames(), ...added }))
}

/** The present name of an account that had another one; undefined if no account had it. */
export function renamedTo(name: string, accounts: readonly Account[]): string | undefined {
  if (accounts.some((account) => account.name === name)) return undefined
  const id = new Map(Object.entries(knownNames())).get(name)
  return accounts.find((account) => account.id === id)?.name
}

function knownNames(): Readonly<Record<string, string>> {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, string>
}
