import type { IncomingMessage } from 'node:http'

import proxyAddress from '@fastify/proxy-addr'

/** Whether an address is a trusted proxy's; the second argument is its distance in hops. */
export type TrustTest = ReturnType<typeof proxyAddress.compile>

/** Returns the test for trusted proxies, given as addresses and networks in CIDR notation. */
export function trustTest(trustedProxies: readonly string[]): TrustTest {
  return trustedProxies.length === 0 ? () => false : proxyAddress.compile([...trustedProxies])
}

/**
 * Returns a function that returns the client address: the nearest address that isn't a trusted
 * proxy.
 */
export function clientAddressReader(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = trustTest(trustedProxies)
  return (request) => proxyAddress(request, isTrusted)
}
