import type { Schemas } from '@slipway/client'

const KEY = 'slipway-account'

/** The account that the user looked at last in this browser. */
export function lastAccount(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined
}

/** The account to show: the given one if the user is in it, or else the last or the first one. */
export function accountToShow(
  accounts: readonly Schemas['ProfileAccount'][],
  given: string | undefined,
): string | undefined {
  const names = accounts.map(({ name }) => name)
  return (
    [given, lastAccount()].find((name) => name !== undefined && names.includes(name)) ?? names[0]
  )
}

/** Remembers the account for the next visit. */
export function rememberAccount(name: string): void {
  localStorage.setItem(KEY, name)
}
