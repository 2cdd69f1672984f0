const KEY = 'slipway-account'

/** The account that the user looked at last in this browser. */
export function lastAccount(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined
}

/** Remembers the account for the next visit. */
export function rememberAccount(name: string): void {
  localStorage.setItem(KEY, name)
}
