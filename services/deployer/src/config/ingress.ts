import type { ConfigReader } from '@slipway/shared/config'

import type { IngressSettings } from '../manifests/settings.ts'
import { optionalJson } from './optional-values.ts'

/** Reads the settings for exposing components outside the cluster. */
export function readIngress(reader: ConfigReader): IngressSettings {
  const tlsSecret = reader.optional('INGRESS_TLS_SECRET')
  const certificate = readCertificate(reader)
  if (tlsSecret !== undefined && certificate !== undefined) {
    reader.report('INGRESS_TLS_SECRET: cannot be combined with INGRESS_TLS_CERT_FILE')
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

function readCertificate(reader: ConfigReader): IngressSettings['certificate'] {
  const chain = reader.file('INGRESS_TLS_CERT_FILE')
  const key = reader.file('INGRESS_TLS_KEY_FILE')
  if (chain !== undefined && key !== undefined) return Object.freeze({ chain, key })
  if (chain !== undefined || key !== undefined) {
    reader.report('INGRESS_TLS_CERT_FILE, INGRESS_TLS_KEY_FILE: must be set together')
  }
  return undefined
}
