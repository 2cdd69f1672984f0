import { usageError } from '../errors/cli-error.ts'

/**
 * The address of a server as the user writes it, without a trailing `/api/v1`. Without a scheme it
 * is https, or http on this machine.
 */
export function serverUrl(given: string): string {
  const text = /^https?:\/\//i.test(given)
    ? given
    : `${isLocal(given) ? 'http' : 'https'}://${given}`
  const url = URL.parse(text)
  if (url === null || url.hostname === '' || /^(?!https?:)\w+:\/\//i.test(given))
    throw usageError(
      `"${given}" is not the address of a server`,
      'write it like https://slipway.example.com',
    )
  if (url.username !== '' || url.password !== '')
    throw usageError('the address of a server must have no user name and no password')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  return `${url.origin}${path}`
}

/**
 * The address of a server to which tokens will be sent. Over plain http anyone on the way can read
 * them, so this needs `--insecure`, except on this machine.
 */
export function safeServerUrl(given: string, { insecure }: { readonly insecure: boolean }): string {
  const url = serverUrl(given)
  if (insecure || url.startsWith('https:') || isLocal(url)) return url
  throw usageError(
    `${url} is not encrypted, so others could read your tokens`,
    'use https://, or --insecure if you trust the network',
  )
}

/** Whether a host is this machine, where http is safe. */
export function isLocal(address: string): boolean {
  const host = address.replace(/^https?:\/\//i, '').replace(/[/?#].*$/s, '')
  return /^((?:[a-z\d-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)
}
