/** How a server signs people in, as it was at the last sign-in. */
export interface KnownSignIn {
  readonly issuer: string
  readonly client_id: string
  /** The origins of the provider: its endpoints, and the page for the code. */
  readonly origins: readonly string[]
}

/** Whether two servers have the same issuer, with or without the last slash, and client. */
export function isSameSignIn(one: KnownSignIn, other: KnownSignIn): boolean {
  return hrefOf(one.issuer) === hrefOf(other.issuer) && one.client_id === other.client_id
}

/**
 * Whether tokens of a sign-in may work where a known one is used: with the same issuer and client,
 * or with another issuer that names the endpoints or the page of the known provider.
 */
export function sharesProvider(known: KnownSignIn, found: KnownSignIn): boolean {
  if (isSameSignIn(known, found)) return true
  const ofKnown = [originOf(known.issuer), ...known.origins]
  return (
    originOf(found.issuer) !== originOf(known.issuer) &&
    found.origins.some((each) => ofKnown.includes(each))
  )
}

/** The origin of an address; the text itself if it has no origin. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}

function hrefOf(address: string): string {
  return (URL.parse(address)?.href ?? address).replace(/\/+$/, '')
}
