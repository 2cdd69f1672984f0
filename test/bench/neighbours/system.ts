import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { MEMORY } from '@slipway/images'
import { freePorts, testDatabase, testIssuer, testNats } from '@slipway/testing'

import { fromStack } from '../../support/environment.ts'
import { startMeasured, type Measured } from '../support/process.ts'

/** All services with the limits as they are shipped, on the cluster of the stack. */
export interface NeighboursSystem extends AsyncDisposable {
  readonly gatewayUrl: string
  readonly otlpUrl: string
  readonly otlpGrpcUrl: string
  readonly catalogDatabaseUrl: string
  readonly processes: Readonly<
    Record<'catalog' | 'deployer' | 'observability' | 'gateway', Measured>
  >
  tokenOf(user: string): Promise<string>
}

/**
 * The heap that Node gives a process of each service in a pod, in MiB: half of the chart's memory
 * limit, at most 2 GiB. How much garbage a process keeps depends on it.
 */
const HEAP_MIB = { catalog: 256, deployer: 256, observability: 2048, gateway: 512 } as const

/**
 * Starts the services as the chart does: with the settings of their images, and the heap of their
 * pods. Sets addresses and identities, and no limit.
 */
export async function startNeighboursSystem(): Promise<NeighboursSystem> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const issuer = stack.use(await testIssuer())
  const nats = stack.use(await testNats())
  const start = async (service: keyof typeof HEAP_MIB, env: Readonly<Record<string, string>>) => {
    const [grpc = 0, connect = 0, ops = 0] = await freePorts(3)
    const tokenFile = join(directory, `${service}.token`)
    await writeFile(tokenFile, await issuer.serviceToken(service))
    const database =
      service === 'gateway' ? undefined : stack.use(await testDatabase({ migrations: {} }))
    const measured = stack.use(
      await startMeasured({
        script: `services/${service}/src/main.ts`,
        logFile: join(directory, `${service}.log`),
        readyUrl: `http://127.0.0.1:${ops}/readyz`,
        env: {
          LOG_LEVEL: 'info',
          ...MEMORY,
          NODE_OPTIONS: `${MEMORY.NODE_OPTIONS} --max-old-space-size=${HEAP_MIB[service]}`,
          AUTH_ISSUERS: issuer.issuersJson,
          NATS_URL: nats.url,
          OPS_ADDRESS: `127.0.0.1:${ops}`,
          ...(database !== undefined && {
            GRPC_ADDRESS: `127.0.0.1:${grpc}`,
            CONNECT_ADDRESS: `127.0.0.1:${connect}`,
            DATABASE_URL: database.url,
            MIGRATE_ON_START: 'true',
            SERVICE_TOKEN_FILE: tokenFile,
          }),
          ...env,
        },
      }),
    )
    return {
      measured,
      databaseUrl: database?.url ?? '',
      grpc: `127.0.0.1:${grpc}`,
      connect: `127.0.0.1:${connect}`,
    }
  }
  const [http, otlp, otlpGrpc] = await freePorts(3)
  const catalog = await start('catalog', {})
  const deployer = await start('deployer', {
    CATALOG_ADDRESS: catalog.connect,
    KUBECONFIG: fromStack('DEPLOYER_KUBECONFIG'),
    INTERNAL_REGISTRIES: fromStack('SLIPWAY_REGISTRY'),
    INGEST_URL: 'http://10.240.0.1:4318',
    SECRET_NAME_KEY: 'ab'.repeat(32),
  })
  const observability = await start('observability', {
    CATALOG_ADDRESS: catalog.connect,
    DEPLOYER_ADDRESS: deployer.grpc,
    OTLP_ADDRESSES: `127.0.0.1:${otlp}`,
    OTLP_GRPC_ADDRESSES: `127.0.0.1:${otlpGrpc}`,
    CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
  })
  const gateway = await start('gateway', {
    HTTP_ADDRESS: `127.0.0.1:${http}`,
    CATALOG_ADDRESS: catalog.connect,
    DEPLOYER_ADDRESS: deployer.grpc,
    OBSERVABILITY_ADDRESS: observability.grpc,
    IDEMPOTENCY_KEY_SECRET: 'ab'.repeat(32),
  })
  const running = stack.move()
  return {
    gatewayUrl: `http://127.0.0.1:${http}/api/v1`,
    otlpUrl: `http://127.0.0.1:${otlp}/v1/traces`,
    otlpGrpcUrl: `http://127.0.0.1:${otlpGrpc}`,
    catalogDatabaseUrl: catalog.databaseUrl,
    processes: {
      catalog: catalog.measured,
      deployer: deployer.measured,
      observability: observability.measured,
      gateway: gateway.measured,
    },
    tokenOf: (user) => issuer.userToken(user),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
