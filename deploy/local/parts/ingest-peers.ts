import { lookup } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the deployer's setting for an INGEST_URL with a host name, from which it can't derive a
 * network policy: the host's addresses on this machine, so that pods can reach no others. Throws a
 * UsageError if the name has no address.
 */
export async function ingestPeers(url: string | undefined): Promise<Record<string, string>> {
  const host = url === undefined ? '' : (URL.parse(url)?.hostname ?? '')
  if (host === '' || isIPv4(host)) return {}
  const found = await addressesOf(host.replace(/^\[|\]$/g, ''))
  const peers = found.map((address) => ({
    ipBlock: { cidr: `${address}/${isIPv4(address) ? 32 : 128}` },
  }))
  return { NETWORK_INGEST_PEERS: JSON.stringify(peers) }
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true })
    return [...new Set(found.map(({ address }) => address))]
  } catch {
    throw new UsageError(
      `INGEST_URL: ${host} has no address on this machine; use the IPv4 address at which the ` +
        "cluster's pods reach it",
    )
  }
}
