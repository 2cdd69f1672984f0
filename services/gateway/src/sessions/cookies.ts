import type { IncomingMessage } from 'node:http'

/** The cookie of a session. Browsers accept the prefix only with Secure, Path=/ and no Domain. */
export const SESSION_COOKIE = '__Host-slipway-session'

/** Whether a request has the cookie of a session, valid or not. */
export function hasSessionCookie({
  headers: { cookie },
}: Pick<IncomingMessage, 'headers'>): boolean {
  return cookie?.includes(`${SESSION_COOKIE}=`) === true
}

/** The cookies of a request whose names begin with a prefix. The first of several values counts. */
export function readCookies(
  { headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>,
  prefix: string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!cookie.includes(prefix)) return found
  for (const pair of cookie.split(';')) {
    const separator = pair.indexOf('=')
    const name = pair.slice(0, separator).trim()
    if (separator !== -1 && name.startsWith(prefix) && !found.has(name))
      found.set(name, pair.slice(separator + 1).trim())
  }
  return found
}

/** A `Set-Cookie` that scripts can't read and that other sites don't send, except by a link. */
export function setCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`
}

/** A `Set-Cookie` that removes a cookie. */
export function removeCookie(name: string): string {
  return setCookie(name, '', 0)
}
