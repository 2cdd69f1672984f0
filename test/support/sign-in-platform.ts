import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startGateway, type Gateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { createLogger } from '@slipway/shared/logger'
import { testDatabase, testNats, type TestNats } from '@slipway/testing'
import { Client } from 'pg'

import { GATEWAY_SECRET, testProvider, type TestProvider } from './identity-provider.ts'

/** A catalog with gateways at which people sign in with a browser. */
export interface SignInPlatform extends AsyncDisposable {
  readonly provider: TestProvider
  readonly nats: TestNats
  readonly catalogAddress: string
  /** Everything that the services have logged. */
  readonly log: readonly string[]
  /** Starts a gateway; `env` adds to its settings or replaces them. */
  startGateway(env?: Readonly<Record<string, string>>): Promise<Gateway>
  /** Runs a statement in the catalog's database; returns the rows. */
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
}

/** The key of sessions, unless a gateway has another one. */
export const SESSION_KEY = 'ab'.repeat(32)

/** Starts a catalog with its own database, NATS and identity provider. */
export async function startSignInPlatform(
  catalogEnv: Readonly<Record<string, string>> = {},
): Promise<SignInPlatform> {
  await using starting = new AsyncDisposableStack()
  const provider = starting.use(await testProvider())
  const nats = starting.use(await testNats())
  // The catalog creates its tables.
  const database = starting.use(await testDatabase({ migrations: {} }))
  const log: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => void log.push(line) })
  const common = {
    AUTH_ISSUERS: JSON.stringify([
      { issuer: provider.issuer, audience: 'urn:slipway:api', realm: 'local' },
      {
        issuer: provider.issuer,
        audience: 'urn:slipway:internal',
        kind: 'service',
        services: { gateway: 'gateway' },
      },
    ]),
    NATS_URL: nats.url,
    OPS_ADDRESS: '127.0.0.1:0',
  }
  const catalog = starting.use(
    await startCatalog(
      readCatalogConfig({
        ...common,
        GRPC_ADDRESS: '127.0.0.1:0',
        CONNECT_ADDRESS: '127.0.0.1:0',
        DATABASE_URL: database.url,
        MIGRATE_ON_START: 'true',
        ...catalogEnv,
      }),
      { logger },
    ),
  )
  const client = new Client({ connectionString: database.url })
  await client.connect()
  starting.defer(() => client.end())
  const running = starting.move()
  return {
    provider,
    nats,
    log,
    catalogAddress: catalog.connectAddress,
    async startGateway(env = {}) {
      const config = readGatewayConfig({
        ...common,
        HTTP_ADDRESS: '127.0.0.1:0',
        CATALOG_ADDRESS: catalog.connectAddress,
        DEPLOYER_ADDRESS: '127.0.0.1:1',
        OBSERVABILITY_ADDRESS: '127.0.0.1:1',
        IDEMPOTENCY_KEY_SECRET: 'cd'.repeat(32),
        SIGN_IN_CLIENT_ID: 'slipway-console',
        SESSION_KEY,
        SERVICE_TOKEN_URL: `${provider.issuer}/token`,
        SERVICE_CLIENT_ID: 'gateway',
        SERVICE_CLIENT_SECRET: GATEWAY_SECRET,
        ...env,
      })
      return running.use(await startGateway(config, { logger }))
    },
    query: async (statement, values = []) =>
      (await client.query<Record<string, unknown>>(statement, [...values])).rows,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
