const MAX_LENGTH = 1024
/** Any origin that no link names. */
const BASE = 'http://own.invalid'

/**
 * Where to go after a sign-in: the given path with its query, if it can only be one of this server;
 * otherwise `/`. Browsers read `//host`, `/\host` and `/.//host` as another host.
 */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/[^\\\p{Cc}]*$/u.test(wanted)) return '/'
  const url = URL.parse(wanted, BASE)
  if (url === null || url.origin !== BASE) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  const isOwn = /^\/(?![/\\])/.test(path) && path.length <= MAX_LENGTH
  // These would start over, or end what has just begun.
  return isOwn && !path.startsWith('/auth/') ? path : '/'
}
