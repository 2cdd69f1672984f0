import { isIP } from 'node:net'

import type { ConfigReader } from '@slipway/shared/config'

import type { NetworkSettings } from '../manifests/settings.ts'
import { parseCidr, withoutNested, type Cidr } from './cidr.ts'
import { optionalJson } from './optional-values.ts'

/**
 * Never reachable: link-local addresses and those of clouds' metadata servers, which give out the
 * credentials of nodes.
 */
const METADATA_RANGES = [
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fe80::/10',
]
/**
 * Never reachable: not the addresses of one host on the internet. A network that sends packets to
 * many would pass those of one agent to all others (RFC 6890).
 */
const UNROUTED_RANGES = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', 'fec0::/10', 'ff00::/8']
/**
 * Never reachable: addresses that contain one of IPv4, of any network, to which a node with such
 * a tunnel passes packets (IPv4-compatible, Teredo, 6to4).
 */
const TUNNEL_RANGES = ['::/96', '2001::/32', '2002::/16']
/** The private ranges, and those of NAT64, which lead to the private ranges of IPv4. */
const INTERNAL_RANGES = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  'fc00::/7',
]
/** The shortest prefixes of blocks for the ingest endpoint. */
const SHORTEST_PREFIX = { v4: 8, v6: 32 }

/** Reads the peers that the network policies of deployments allow. */
export function readNetwork(reader: ConfigReader, ingestUrl: string | undefined): NetworkSettings {
  const ingressController = optionalJson<NetworkSettings['ingressController']>(
    reader,
    'NETWORK_INGRESS_PEERS',
    [],
  )
  if (reader.optional('INGRESS_DOMAIN') !== undefined && ingressController.length === 0) {
    reader.report(
      'NETWORK_INGRESS_PEERS: must name the ingress controller because INGRESS_DOMAIN is set',
    )
  }
  return Object.freeze({
    dns: optionalJson(reader, 'NETWORK_DNS_PEERS', [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
    ]),
    ...readIngest(reader, ingestUrl),
    ingressController,
    internalRanges: readInternalRanges(reader),
  })
}

function readInternalRanges(reader: ConfigReader): readonly string[] {
  const name = 'NETWORK_INTERNAL_RANGES'
  const fixed = [...METADATA_RANGES, ...UNROUTED_RANGES, ...TUNNEL_RANGES]
  const blocks = [...fixed, ...reader.list(name, INTERNAL_RANGES)].flatMap((text) => {
    const block = parseCidr(text)
    if (block === undefined) {
      reader.report(`${name}: ${text} is not a CIDR, e.g. 10.0.0.0/8`)
      return []
    }
    return block.family === 'ipv4' ? [block, throughNat64(block)] : [block]
  })
  // Not all network plugins accept exceptions that overlap.
  return withoutNested(blocks).map(({ text }) => text)
}

/** Returns the block through which NAT64 (RFC 6052) leads to one of IPv4. */
function throughNat64({ address, prefix }: Cidr): Cidr {
  const mapped = new URL(`http://[64:ff9b::${address}]`).hostname.slice(1, -1)
  const length = 96 + prefix
  return { text: `${mapped}/${length}`, address: mapped, family: 'ipv6', prefix: length }
}

function readIngest(
  reader: ConfigReader,
  ingestUrl: string | undefined,
): Pick<NetworkSettings, 'ingest' | 'ingestPort'> {
  const url = ingestUrl === undefined ? null : URL.parse(ingestUrl)
  if (ingestUrl !== undefined && url === null) reader.report('INGEST_URL: must be a URL')
  const port = url === null ? undefined : Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const version = isIP(host)
  if (url !== null && version === 0 && reader.optional('NETWORK_INGEST_PEERS') === undefined) {
    reader.report(
      'NETWORK_INGEST_PEERS: is required because the host of INGEST_URL is not an IP address; ' +
        'set it to [] if the host is on the internet',
    )
  }
  const fallback =
    version === 0 ? [] : [{ ipBlock: { cidr: `${host}/${version === 4 ? 32 : 128}` } }]
  const ingest = optionalJson<NetworkSettings['ingest']>(reader, 'NETWORK_INGEST_PEERS', fallback)
  reportWideBlocks(reader, ingest)
  return { ingest, ingestPort: port }
}

/** Agents could reach everything in such a block at the port of the ingest endpoint. */
function reportWideBlocks(reader: ConfigReader, peers: NetworkSettings['ingest']): void {
  for (const peer of peers) {
    const cidr = peer?.ipBlock?.cidr
    if (cidr === undefined) continue
    const shortest = cidr.includes(':') ? SHORTEST_PREFIX.v6 : SHORTEST_PREFIX.v4
    if (Number(cidr.split('/')[1]) >= shortest) continue
    reader.report(
      `NETWORK_INGEST_PEERS: the prefix of ${cidr} must be at least /${shortest}, because agents ` +
        'can reach the whole block; set it to [] if the host of INGEST_URL is on the internet',
    )
  }
}
