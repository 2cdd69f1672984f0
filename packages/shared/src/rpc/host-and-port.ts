/** Splits a `host:port`. */
export function hostAndPort(address: string): { host: string; port: number } {
  const separator = address.lastIndexOf(':')
  return { host: address.slice(0, separator), port: Number(address.slice(separator + 1)) }
}

/**
 * Returns the address that a server was bound to, with its actual port instead of 0. Unlike a
 * server's URL, it keeps a wildcard host.
 */
export function boundAddress(address: string, port: number | string): string {
  return `${hostAndPort(address).host}:${port}`
}
