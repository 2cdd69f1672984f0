import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startDeployer } from '@slipway/deployer'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { startObservability } from '@slipway/observability'
import { readConfig as readObservabilityConfig } from '@slipway/observability/config'
import { createLogger } from '@slipway/shared/logger'
import { testIssuer, testNats, type TestIssuer, type TestNats } from '@slipway/testing'

import type { DatabaseName } from './releases.ts'

/** All services in this process, with their own NATS and issuer. */
export interface Services extends AsyncDisposable {
  readonly issuer: TestIssuer
  readonly nats: TestNats
  readonly catalogAddress: string
  readonly deployerAddress: string
  /** The URL of the ingest of traces. */
  readonly ingestUrl: string
  /** Sends a request as a user, or without a token; the path starts below `/api/v1`. */
  send(
    as: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<Answer>
}

/** A response; JSON is parsed. */
export interface Answer {
  readonly status: number
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What the services work with. Without a cluster and a trace store, these can't be reached. */
export interface ServicesOptions {
  readonly databases: Readonly<Record<DatabaseName, string>>
  readonly kubeconfig?: string
  readonly traceStore?: Readonly<Record<string, string>>
}

const LISTEN = {
  GRPC_ADDRESS: '127.0.0.1:0',
  CONNECT_ADDRESS: '127.0.0.1:0',
  OPS_ADDRESS: '127.0.0.1:0',
}
const NO_CLUSTER = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
}

/** Starts the services; each migrates its database. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  await using starting = new AsyncDisposableStack()
  const logger = createLogger('test', process.env['TEST_LOG'] ? 'info' : 'silent')
  const folder = await mkdtemp(join(tmpdir(), 'slipway-release-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const issuer = starting.use(await testIssuer())
  const nats = starting.use(await testNats())
  const common = { AUTH_ISSUERS: issuer.issuersJson, NATS_URL: nats.url, ...LISTEN }
  const settingsOf = async (name: DatabaseName) => {
    const token = join(folder, name)
    await writeFile(token, await issuer.serviceToken(name))
    const database = { DATABASE_URL: options.databases[name], MIGRATE_ON_START: 'true' }
    return { ...common, ...database, SERVICE_TOKEN_FILE: token }
  }
  const noCluster = join(folder, 'kubeconfig')
  await writeFile(noCluster, JSON.stringify(NO_CLUSTER))

  const catalog = starting.use(
    await startCatalog(readCatalogConfig(await settingsOf('catalog')), { logger }),
  )
  const deployer = starting.use(
    await startDeployer(
      readDeployerConfig({
        ...(await settingsOf('deployer')),
        CATALOG_ADDRESS: catalog.connectAddress,
        KUBECONFIG: options.kubeconfig ?? noCluster,
        SECRET_NAME_KEY: '7a'.repeat(32),
        INGEST_URL: 'http://ingest.example:4318',
        NETWORK_INGEST_PEERS: '[]',
        INTERNAL_REGISTRIES: 'slipway.local',
      }),
      { logger },
    ),
  )
  const observability = starting.use(
    await startObservability(
      readObservabilityConfig({
        ...(await settingsOf('observability')),
        OTLP_ADDRESSES: '127.0.0.1:0',
        OTLP_GRPC_ADDRESSES: '127.0.0.1:0',
        CATALOG_ADDRESS: catalog.connectAddress,
        DEPLOYER_ADDRESS: deployer.grpcAddress,
        ...(options.traceStore ?? { CLICKHOUSE_URL: 'http://127.0.0.1:1' }),
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
        DEPLOYER_ADDRESS: deployer.grpcAddress,
        OBSERVABILITY_ADDRESS: observability.grpcAddress,
        IDEMPOTENCY_KEY_SECRET: '8b'.repeat(32),
      }),
      { logger },
    ),
  )
  const running = starting.move()
  return {
    issuer,
    nats,
    catalogAddress: catalog.grpcAddress,
    deployerAddress: deployer.grpcAddress,
    ingestUrl: `http://${observability.otlpHttpAddresses[0]}`,
    async send(as, method, path, body, idempotencyKey) {
      const headers = new Headers()
      if (as !== undefined) headers.set('authorization', `Bearer ${await issuer.userToken(as)}`)
      if (body !== undefined) headers.set('content-type', 'application/json')
      if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
      const response = await fetch(`${gateway.url}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = /^application\/(problem\+)?json/.test(
        response.headers.get('content-type') ?? '',
      )
      return { status: response.status, body: isJson ? JSON.parse(text) : text }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
