/** Splits a `host:port`. An IPv6 host loses its brackets, as sockets need it. */
export function hostAndPort(address: string): { host: string; port: number } {
  const separator = address.lastIndexOf(':')
  const host = address.slice(0, separator).replace(/^\[|\]$/g, '')
  return { host, port: Number(address.slice(separator + 1)) }
}

/**
 * Returns the address that a server was bound to, with its actual port instead of 0. Unlike a
 * server's URL, it keeps a wildcard host.
 */
export function boundAddress(address: string, port: number | string): string {
  return `${address.slice(0, address.lastIndexOf(':'))}:${port}`
}
