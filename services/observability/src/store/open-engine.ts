import type { Logger } from '@slipway/shared/logger'
import { NeededFile } from '@slipway/shared/needed-file'
import type { TrustedCa } from '@slipway/shared/rpc'

import type { TraceStoreConfig } from '../config.ts'
import { openEmbedded } from './embedded-engine.ts'
import type { Engine } from './engine.ts'
import { openServer } from './server-engine.ts'

/**
 * Opens ClickHouse: a server, or the same engine inside this process. Both use the same client and
 * the same SQL. `trustedCa` returns the authorities of the server's certificate; default: those of
 * Node.
 */
export async function openEngine(
  config: Exclude<TraceStoreConfig, { kind: 'none' }>,
  trustedCa?: TrustedCa,
): Promise<Engine> {
  return config.kind === 'server'
    ? openServer(config.url, trustedCa?.())
    : await openEmbedded(config)
}

/** Follows the file of CLICKHOUSE_CA_FILE. Until it is valid, ClickHouse isn't opened. */
export function followClickHouseCa(
  store: TraceStoreConfig,
  logger: Logger,
): NeededFile | undefined {
  const file = store.kind === 'server' ? store.trustedCa : undefined
  return file && new NeededFile(file, logger, 'no connection to ClickHouse, and not ready')
}
