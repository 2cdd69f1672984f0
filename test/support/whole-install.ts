import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startDeployer } from '@slipway/deployer'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { startProcess } from '@slipway/observability/testing/process'
import { createLogger } from '@slipway/shared/logger'
import type { TestIssuer } from '@slipway/testing'

import { fromStack } from './environment.ts'
import type { DatabaseUrls } from './postgres-pods.ts'

/** The parts that an install uses. */
export interface InstallParts {
  readonly issuer: TestIssuer
  readonly databases: DatabaseUrls
  readonly natsUrl: string
  /** CLICKHOUSE_URL or CLICKHOUSE_DATA_DIR. */
  readonly traceStore: Readonly<Record<string, string>>
  /** For the services' tokens. */
  readonly folder: string
}

/** All four services, on the stack's cluster. */
export interface WholeInstall extends AsyncDisposable {
  /** The URL of the gateway. */
  readonly url: string
  /** The URL of the ingest. */
  readonly ingestUrl: string
}

/** Starts the services; observability is a separate process, because it has one engine. */
export async function startWholeInstall(parts: InstallParts): Promise<WholeInstall> {
  const { issuer, databases, natsUrl, traceStore, folder } = parts
  await using starting = new AsyncDisposableStack()
  const logger = createLogger('test', 'silent')
  const common = {
    AUTH_ISSUERS: issuer.issuersJson,
    NATS_URL: natsUrl,
    MIGRATE_ON_START: 'true',
    OPS_ADDRESS: '127.0.0.1:0',
    GRPC_ADDRESS: '127.0.0.1:0',
    CONNECT_ADDRESS: '127.0.0.1:0',
  }
  const tokenFile = async (name: string) => {
    const file = join(folder, `token-of-${name}`)
    await writeFile(file, await issuer.serviceToken(name))
    return { SERVICE_TOKEN_FILE: file }
  }
  const catalog = starting.use(
    await startCatalog(readCatalogConfig({ ...common, DATABASE_URL: databases.catalog }), {
      logger,
    }),
  )
  const deployer = starting.use(
    await startDeployer(
      readDeployerConfig({
        ...common,
        ...(await tokenFile('deployer')),
        DATABASE_URL: databases.deployer,
        CATALOG_ADDRESS: catalog.connectAddress,
        KUBECONFIG: fromStack('DEPLOYER_KUBECONFIG'),
        SECRET_NAME_KEY: '6e'.repeat(32),
        INGEST_URL: 'http://10.240.0.1:4318',
        INTERNAL_REGISTRIES: fromStack('SLIPWAY_REGISTRY'),
      }),
      { logger },
    ),
  )
  const observability = starting.use(
    await startProcess({
      AUTH_ISSUERS: issuer.issuersJson,
      NATS_URL: natsUrl,
      MIGRATE_ON_START: 'true',
      ...(await tokenFile('observability')),
      DATABASE_URL: databases.observability,
      CATALOG_ADDRESS: catalog.connectAddress,
      DEPLOYER_ADDRESS: deployer.grpcAddress,
      ...traceStore,
    }),
  )
  const gateway = starting.use(
    await startGateway(
      readGatewayConfig({
        ...common,
        HTTP_ADDRESS: '127.0.0.1:0',
        CATALOG_ADDRESS: catalog.connectAddress,
        DEPLOYER_ADDRESS: deployer.grpcAddress,
        OBSERVABILITY_ADDRESS: observability.grpcAddress,
        IDEMPOTENCY_KEY_SECRET: 'ef'.repeat(32),
        RATE_LIMIT_USER_PER_SECOND: '100000',
        RATE_LIMIT_USER_BURST: '100000',
      }),
      { logger },
    ),
  )
  const running = starting.move()
  return {
    url: gateway.url,
    ingestUrl: new URL(observability.ingestUrl).origin,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
