import { readFileSync } from 'node:fs'

import { readTemplateSettings, type TemplateSettings } from '@slipway/agent-spec'
import type { ConfigReader } from '@slipway/shared/config'

import type {
  IngressSettings,
  ManifestSettings,
  NetworkSettings,
  PodSecurityException,
  PodSecurityLevel,
} from '../manifests/settings.ts'

/** What is decided about every deployment. */
export interface WorkloadConfig {
  /** Must be what the catalog has: the template that a caller reads is what deploy does. */
  readonly template: TemplateSettings
  readonly manifests: ManifestSettings
  /** Where agents send traces; undefined: no telemetry. */
  readonly ingestUrl: string | undefined
}

const LEVELS = ['restricted', 'baseline'] as const
const INTERNAL_RANGES = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]

/** Reads what is decided about every deployment. */
export function readWorkloadConfig(reader: ConfigReader): WorkloadConfig {
  const ingestUrl = reader.optional('INGEST_URL')?.replace(/\/+$/, '')
  const podSecurity = reader.oneOf('POD_SECURITY', LEVELS, 'restricted')
  return Object.freeze({
    template: readTemplateSettings(reader),
    ingestUrl,
    manifests: Object.freeze({
      podSecurity,
      podUid: reader.integer('POD_UID', 1000, { min: 1, max: 2 ** 31 - 1 }),
      podSecurityExceptions: readExceptions(reader, podSecurity),
      readOnlyRootFilesystem: reader.boolean('POD_READ_ONLY_ROOT', false),
      ingress: readIngress(reader),
      network: readNetwork(reader, ingestUrl),
      pullSecret: readPullSecret(reader),
    }),
  })
}

function readExceptions(
  reader: ConfigReader,
  ordinary: PodSecurityLevel,
): readonly PodSecurityException[] {
  const name = 'POD_SECURITY_EXCEPTIONS'
  if (reader.optional(name) === undefined) return []
  return reader.json(name, (value) => parseExceptions(value, ordinary)) ?? []
}

function parseExceptions(value: unknown, ordinary: PodSecurityLevel): PodSecurityException[] {
  if (!Array.isArray(value)) throw new Error('must be a JSON array')
  return value.map((each: unknown) => {
    const { account, agent, level, uid, ...unknown } = { ...(each as Record<string, unknown>) }
    if (Object.keys(unknown).length > 0)
      throw new Error(`has an unknown member ${Object.keys(unknown)[0]}`)
    if (typeof account !== 'string' || account === '')
      throw new Error('must name the id of an account in each entry')
    if (agent !== undefined && typeof agent !== 'string')
      throw new Error('has an agent that is no name')
    const known = LEVELS.find((name) => name === level)
    if (level !== undefined && known === undefined)
      throw new Error(`has a level that is none of ${LEVELS.join(', ')}`)
    const isUid = typeof uid === 'number' && Number.isInteger(uid) && uid >= 0 && uid < 2 ** 31
    if (uid !== undefined && !isUid) throw new Error('has a uid that is none')
    if (uid === 0 && (known ?? ordinary) === 'restricted')
      throw new Error('allows root only with the level baseline')
    return Object.freeze({
      account,
      ...(agent !== undefined && { agent }),
      ...(known && { level: known }),
      ...(isUid && { uid }),
    })
  })
}

function readIngress(reader: ConfigReader): IngressSettings {
  const tlsSecret = reader.optional('INGRESS_TLS_SECRET')
  const certificate = readCertificate(reader)
  if (tlsSecret !== undefined && certificate !== undefined) {
    reader.report('INGRESS_TLS_SECRET: can not be set beside INGRESS_TLS_CERT_FILE')
  }
  const port = reader.integer('INGRESS_PORT', 0, { max: 65_535 })
  return Object.freeze({
    domain: reader.optional('INGRESS_DOMAIN'),
    className: reader.optional('INGRESS_CLASS'),
    tlsSecret,
    certificate,
    annotations: optionalJson(reader, 'INGRESS_ANNOTATIONS', {}),
    scheme: reader.oneOf('INGRESS_SCHEME', ['http', 'https'] as const, 'https'),
    port: port === 0 ? undefined : port,
  })
}

function readNetwork(reader: ConfigReader, ingestUrl: string | undefined): NetworkSettings {
  const url = ingestUrl === undefined ? null : URL.parse(ingestUrl)
  if (ingestUrl !== undefined && url === null) reader.report('INGEST_URL: must be a URL')
  const port = url === null ? undefined : Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const isAddress = url !== null && /^\d+\.\d+\.\d+\.\d+$/.test(url.hostname)
  if (url !== null && !isAddress && reader.optional('NETWORK_INGEST_PEERS') === undefined) {
    reader.report(
      'NETWORK_INGEST_PEERS: must say where INGEST_URL leads, which is no IPv4 address; [] where it is on the internet',
    )
  }
  const ingressController = optionalJson<NetworkSettings['ingressController']>(
    reader,
    'NETWORK_INGRESS_PEERS',
    [],
  )
  if (reader.optional('INGRESS_DOMAIN') !== undefined && ingressController.length === 0) {
    reader.report(
      'NETWORK_INGRESS_PEERS: must name the ingress controller, since INGRESS_DOMAIN is set',
    )
  }
  return Object.freeze({
    dns: optionalJson(reader, 'NETWORK_DNS_PEERS', [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
    ]),
    ingest: optionalJson(
      reader,
      'NETWORK_INGEST_PEERS',
      isAddress ? [{ ipBlock: { cidr: `${url.hostname}/32` } }] : [],
    ),
    ingestPort: port,
    ingressController,
    internalRanges: reader.list('NETWORK_INTERNAL_RANGES', INTERNAL_RANGES),
  })
}

function optionalJson<Value>(reader: ConfigReader, name: string, fallback: Value): Value {
  if (reader.optional(name) === undefined) return fallback
  return (
    reader.json(name, (value) => {
      if (Array.isArray(value) !== Array.isArray(fallback)) throw new Error('has the wrong type')
      return value as Value
    }) ?? fallback
  )
}

function readPullSecret(reader: ConfigReader): string | undefined {
  return readOptionalFile(reader, 'PULL_SECRET_FILE')
}

function readCertificate(reader: ConfigReader): IngressSettings['certificate'] {
  const chain = readOptionalFile(reader, 'INGRESS_TLS_CERT_FILE')
  const key = readOptionalFile(reader, 'INGRESS_TLS_KEY_FILE')
  if (chain !== undefined && key !== undefined) return Object.freeze({ chain, key })
  if (chain !== undefined || key !== undefined) {
    reader.report('INGRESS_TLS_CERT_FILE, INGRESS_TLS_KEY_FILE: must be set both')
  }
  return undefined
}

function readOptionalFile(reader: ConfigReader, name: string): string | undefined {
  const path = reader.optional(name)
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    reader.report(`${name}: can not be read`)
    return undefined
  }
}
