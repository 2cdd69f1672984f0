import { readFileSync } from 'node:fs'

import type { ConfigReader } from '@slipway/shared/config'
import { readTemplateSettings, type TemplateSettings } from '@slipway/spec'

import type { IngressSettings, ManifestSettings, NetworkSettings } from './manifests/settings.ts'

/** What is decided about every deployment. */
export interface WorkloadConfig {
  /** Must be what the catalog has: the template that a caller reads is what deploy does. */
  readonly template: TemplateSettings
  readonly manifests: ManifestSettings
  /** Where agents send traces; undefined: no telemetry. */
  readonly ingestUrl: string | undefined
}

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
  return Object.freeze({
    template: readTemplateSettings(reader),
    ingestUrl,
    manifests: Object.freeze({
      podSecurity: reader.oneOf('POD_SECURITY', ['restricted', 'baseline'] as const, 'restricted'),
      podUid: reader.integer('POD_UID', 1000, { min: 1, max: 2 ** 31 - 1 }),
      readOnlyRootFilesystem: reader.boolean('POD_READ_ONLY_ROOT', false),
      ingress: readIngress(reader),
      network: readNetwork(reader, ingestUrl),
      pullSecret: readPullSecret(reader),
    }),
  })
}

function readIngress(reader: ConfigReader): IngressSettings {
  const port = reader.integer('INGRESS_PORT', 0, { max: 65_535 })
  return Object.freeze({
    domain: reader.optional('INGRESS_DOMAIN'),
    className: reader.optional('INGRESS_CLASS'),
    tlsSecret: reader.optional('INGRESS_TLS_SECRET'),
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
    ingressController: optionalJson(reader, 'NETWORK_INGRESS_PEERS', []),
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
  const path = reader.optional('PULL_SECRET_FILE')
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    reader.report('PULL_SECRET_FILE: can not be read')
    return undefined
  }
}
