import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { createLogger } from '@slipway/shared/logger'
import { testDatabase, testIssuer, testNats, type TestIssuer } from '@slipway/testing'

/** A gateway with a catalog, whose settings are those of an operator who forgot the audience. */
export interface UnsafeGateway extends AsyncDisposable {
  readonly url: string
  readonly issuer: TestIssuer
  /** Everything that both have logged, as JSON. */
  readonly log: readonly string[]
}

/** Starts both with an issuer that has no audience. */
export async function startUnsafeGateway(): Promise<UnsafeGateway> {
  await using starting = new AsyncDisposableStack()
  const issuer = starting.use(await testIssuer())
  const nats = starting.use(await testNats())
  // The catalog creates its tables.
  const database = starting.use(await testDatabase({ migrations: {} }))
  const log: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => void log.push(line) })
  const common = {
    AUTH_ISSUERS: JSON.stringify([{ issuer: issuer.url, realm: 'test' }]),
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
      }),
      { logger },
    ),
  )
  const gateway = starting.use(
    await startGateway(
      readGatewayConfig({
        ...common,
        HTTP_ADDRESS: '127.0.0.1:0',
        CATALOG_ADDRESS: catalog.connectAddress,
        DEPLOYER_ADDRESS: '127.0.0.1:1',
        OBSERVABILITY_ADDRESS: '127.0.0.1:1',
        IDEMPOTENCY_KEY_SECRET: 'ef'.repeat(32),
      }),
      { logger },
    ),
  )
  const running = starting.move()
  return { url: gateway.url, issuer, log, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
