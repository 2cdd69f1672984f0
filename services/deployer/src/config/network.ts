import type { ConfigReader } from '@slipway/shared/config'

import type { NetworkSettings } from '../manifests/settings.ts'
import { optionalJson } from './optional-values.ts'

const INTERNAL_RANGES = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]

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
    internalRanges: reader.list('NETWORK_INTERNAL_RANGES', INTERNAL_RANGES),
  })
}

function readIngest(
  reader: ConfigReader,
  ingestUrl: string | undefined,
): Pick<NetworkSettings, 'ingest' | 'ingestPort'> {
  const url = ingestUrl === undefined ? null : URL.parse(ingestUrl)
  if (ingestUrl !== undefined && url === null) reader.report('INGEST_URL: must be a URL')
  const port = url === null ? undefined : Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const isAddress = url !== null && /^\d+\.\d+\.\d+\.\d+$/.test(url.hostname)
  if (url !== null && !isAddress && reader.optional('NETWORK_INGEST_PEERS') === undefined) {
    reader.report(
      'NETWORK_INGEST_PEERS: is required because the host of INGEST_URL is not an IPv4 address; ' +
        'set it to [] if the host is on the internet',
    )
  }
  const fallback = isAddress ? [{ ipBlock: { cidr: `${url.hostname}/32` } }] : []
  return { ingest: optionalJson(reader, 'NETWORK_INGEST_PEERS', fallback), ingestPort: port }
}
