import type { TraceStoreConfig } from '../config.ts'
import { openEmbedded } from './embedded-engine.ts'
import type { Engine } from './engine.ts'
import { openServer } from './server-engine.ts'

/**
 * Opens ClickHouse: a server, or the same engine inside this process. Both use the same client and
 * the same SQL.
 */
export async function openEngine(
  config: Exclude<TraceStoreConfig, { kind: 'none' }>,
): Promise<Engine> {
  return config.kind === 'server' ? openServer(config) : await openEmbedded(config)
}
