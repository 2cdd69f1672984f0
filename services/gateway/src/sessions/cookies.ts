import type { IncomingMessage } from 'node:http'

/** The cookie of a session. Browsers accept the prefix only with Secure, Path=/ and no Domain. */
export const SESSION_COOKIE = '__Host-slipway-session'

/** Whether a request has the cookie of a session, valid or not. */
export function hasSessionCookie(request: Pick<IncomingMessage, 'headers'>): boolean {
  return readCookies(request, SESSION_COOKIE).has(SESSION_COOKIE)
}

/**
 * The cookies of a request whose names begin with a prefix. Only spaces and tabs around names are
 * dropped, because browsers protect exactly this prefix: another host of the domain could set a
 * name with any other character before it. A name with several values can't be trusted, and is left
 * out.
 */
export function readCookies(
  { headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>,
  prefix: string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!cookie.includes(prefix)) return found
  const repeated = new Set<string>()
  for (const pair of cookie.split(';')) {
    const separator = pair.indexOf('=')
    const name = withoutBlanks(pair.slice(0, separator))
    if (separator === -1 || !name.startsWith(prefix)) continue
    if (found.has(name)) repeated.add(name)
    found.set(name, withoutBlanks(pair.slice(separator + 1)))
  }
  for (const name of repeated) found.delete(name)
  return found
}

/** Not with a regular expression: it would read blanks within the text once for each of them. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start += 1
  while (start < end && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** A `Set-Cookie` that scripts can't read and that other sites don't send, except by a link. */
export function setCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`
}

/** A `Set-Cookie` that removes a cookie. */
export function removeCookie(name: string): string {
  return setCookie(name, '', 0)
}
