import { startGateway, type Gateway } from '@slipway/gateway'
import { readConfig } from '@slipway/gateway/config'
import { createLogger } from '@slipway/shared/logger'

import { fromStack } from './environment.ts'

/**
 * Starts a gateway that accepts the stack's tokens, only those of `clients` if given, and reaches
 * no service.
 */
export async function startLoneGateway(
  env: Readonly<Record<string, string>>,
  clients?: readonly string[],
): Promise<Gateway> {
  const nowhere = '127.0.0.1:1'
  const issuers = [
    {
      issuer: fromStack('SLIPWAY_ISSUER'),
      audience: 'urn:slipway:api',
      realm: 'local',
      kind: 'user',
      clients,
    },
  ]
  const config = readConfig({
    HTTP_ADDRESS: '127.0.0.1:0',
    OPS_ADDRESS: '127.0.0.1:0',
    CATALOG_ADDRESS: nowhere,
    DEPLOYER_ADDRESS: nowhere,
    OBSERVABILITY_ADDRESS: nowhere,
    NATS_URL: `nats://${nowhere}`,
    AUTH_ISSUERS: JSON.stringify(issuers),
    IDEMPOTENCY_KEY_SECRET: 'cd'.repeat(32),
    ...env,
  })
  return await startGateway(config, { logger: createLogger('gateway', 'silent') })
}
