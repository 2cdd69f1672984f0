import { parseIssuers, type Issuer } from '@slipway/shared/auth'
import { parseConfig, type Environment } from '@slipway/shared/config'
import { LOG_LEVELS } from '@slipway/shared/logger'

/** What the gateway needs to know. */
export interface GatewayConfig {
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** host:port of the REST API. */
  readonly httpAddress: string
  /** host:port of the health routes for the platform. */
  readonly opsAddress: string
  /** host:port of each replica of the services. */
  readonly catalogAddresses: readonly string[]
  readonly deployerAddresses: readonly string[]
  readonly observabilityAddresses: readonly string[]
  readonly issuers: readonly Issuer[]
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Largest request body, in bytes. */
  readonly bodyLimitBytes: number
}

/** Reads the configuration; see docs/reference/env.md. Throws a ConfigError that names every problem. */
export function readConfig(env: Environment): GatewayConfig {
  return parseConfig(env, (reader) => ({
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    httpAddress: reader.string('HTTP_ADDRESS', '127.0.0.1:8080'),
    opsAddress: reader.string('OPS_ADDRESS', '127.0.0.1:9114'),
    catalogAddresses: reader.list('CATALOG_ADDRESS'),
    deployerAddresses: reader.list('DEPLOYER_ADDRESS'),
    observabilityAddresses: reader.list('OBSERVABILITY_ADDRESS'),
    issuers: reader.json('AUTH_ISSUERS', parseIssuers) ?? [],
    trustedProxies: reader.list('TRUSTED_PROXIES', []),
    bodyLimitBytes: reader.integer('BODY_LIMIT_BYTES', 1024 * 1024, { min: 1024, max: 16 * 1024 * 1024 }),
  }))
}
