/** How a server signs people in, as it was at the last sign-in. */
export interface KnownSignIn {
  readonly issuer: string
  readonly client_id: string
  /** The origins of the provider: its endpoints, and the page for the code. */
  readonly origins: readonly string[]
  /** For which APIs its tokens are. Undefined before there is one, or if it doesn't say. */
  readonly audiences?: readonly string[] | undefined
}

/** Whether two issuers are the same, with or without the last slash. */
export function isSameIssuer(one: string, other: string): boolean {
  return hrefOf(one) === hrefOf(other)
}

/** Whether a sign-in leads nowhere but to where a known one of the same server led. */
export function isKnownSignIn(known: KnownSignIn, found: KnownSignIn): boolean {
  const { origins, audiences = [] } = found
  return (
    isSameSignIn(known, found) &&
    origins.every((each) => known.origins.includes(each)) &&
    audiences.every((each) => known.audiences?.includes(each))
  )
}

function isSameSignIn(one: KnownSignIn, other: KnownSignIn): boolean {
  return isSameIssuer(one.issuer, other.issuer) && one.client_id === other.client_id
}

/**
 * Whether tokens of a sign-in may work where a known one is used: with the same issuer, and the
 * same client or audience, or with another issuer that names the endpoints or the page of the known
 * provider.
 */
export function sharesProvider(known: KnownSignIn, found: KnownSignIn): boolean {
  if (isSameSignIn(known, found)) return true
  const isForKnown = found.audiences?.some((each) => known.audiences?.includes(each)) === true
  if (isForKnown && isSameIssuer(known.issuer, found.issuer)) return true
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
