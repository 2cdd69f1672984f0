import type { ConfigReader } from '@slipway/shared/config'

import type { IngressSettings } from '../manifests/settings.ts'
import { optionalJson } from './optional-values.ts'

/** The paths of a certificate chain and its key, in PEM. */
export interface CertificateFiles {
  readonly chain: string
  readonly key: string
}

/** Reads the settings for exposing components outside the cluster. */
export function readIngress(reader: ConfigReader): IngressSettings {
  const tlsSecret = reader.optional('INGRESS_TLS_SECRET')
  const port = reader.integer('INGRESS_PORT', 0, { max: 65_535 })
  return Object.freeze({
    domain: reader.optional('INGRESS_DOMAIN'),
    className: reader.optional('INGRESS_CLASS'),
    tlsSecret,
    annotations: optionalJson(reader, 'INGRESS_ANNOTATIONS', {}),
    scheme: reader.oneOf('INGRESS_SCHEME', ['http', 'https'] as const, 'https'),
    port: port === 0 ? undefined : port,
  })
}

/** Reads where the certificate for exposed components is. */
export function readCertificateFiles(reader: ConfigReader): CertificateFiles | undefined {
  const chain = reader.optional('INGRESS_TLS_CERT_FILE')
  const key = reader.optional('INGRESS_TLS_KEY_FILE')
  if (chain !== undefined && reader.optional('INGRESS_TLS_SECRET') !== undefined)
    reader.report('INGRESS_TLS_SECRET: cannot be combined with INGRESS_TLS_CERT_FILE')
  if (chain !== undefined && key !== undefined) return Object.freeze({ chain, key })
  if (chain !== undefined || key !== undefined)
    reader.report('INGRESS_TLS_CERT_FILE, INGRESS_TLS_KEY_FILE: must be set together')
  return undefined
}
