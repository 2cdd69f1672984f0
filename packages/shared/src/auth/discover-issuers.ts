import type { Logger } from '../logging/logger.ts'
import { backoffMs, sleepOrAbort } from '../waiting.ts'
import { readFromApiServer } from './api-server.ts'
import type { ClusterIssuer, Issuer, IssuerSetting } from './issuers.ts'

const PATIENCE_MS = 30_000

/** For tests. */
export interface DiscoveryOptions {
  /** How long failures are retried. */
  readonly patienceMs?: number
}

/**
 * Asks the API server who issues the tokens of its ServiceAccounts, if such an issuer is
 * configured. Retries for half a minute, then throws an Error with the URL and the remedy.
 */
export async function discoverIssuers(
  issuers: readonly IssuerSetting[],
  logger: Logger,
  { patienceMs = PATIENCE_MS }: DiscoveryOptions = {},
): Promise<readonly Issuer[]> {
  const deadline = Date.now() + patienceMs
  return await Promise.all(
    issuers.map(async (each) =>
      'apiServer' in each ? await discover(each, logger, deadline) : each,
    ),
  )
}

async function discover(
  { apiServer, ...setting }: ClusterIssuer,
  logger: Logger,
  deadline: number,
): Promise<Issuer> {
  for (let failures = 0; ; failures += 1) {
    try {
      const { issuer } = await readFromApiServer(apiServer, '/.well-known/openid-configuration')
      if (typeof issuer !== 'string') throw new Error(`${apiServer.url} names no issuer`)
      const readKeys = () => readFromApiServer(apiServer, '/openid/v1/jwks')
      logger.info({ issuer }, 'cluster_issuer_discovered')
      return Object.freeze({ ...setting, issuer, realm: issuer, jwksUri: undefined, readKeys })
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      const error = new Error(
        `AUTH_ISSUERS: the issuer of ServiceAccount tokens can't be read: ${message}`,
        { cause },
      )
      if (Date.now() >= deadline) throw error
      if (failures === 0) logger.warn({ err: error }, 'issuer_discovery_failed')
      await sleepOrAbort(backoffMs(failures, { maxMs: 2_000 }), undefined)
    }
  }
}
