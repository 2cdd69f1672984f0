import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient, type CallOptions, type Client } from '@connectrpc/connect'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createLogger } from '@slipway/shared/logger'
import { createGrpcTransport } from '@slipway/shared/rpc'
import {
  testDatabase,
  testIssuer,
  testNats,
  type TestIssuer,
  type TestNats,
} from '@slipway/testing'

import { readConfig } from '../../src/config.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import {
  startObservability,
  type ObservabilityOverrides,
  type ObservabilityService,
} from '../../src/service.ts'
import { startNeighbours, type Neighbours } from './neighbours.ts'

/** Long enough for a busy machine. Tests of timeouts set a shorter one. */
const QUERY_TIMEOUT_MS = 120_000

/** A running observability service with its dependencies. */
export interface Platform extends AsyncDisposable {
  readonly service: ObservabilityService
  readonly traces: Client<typeof TraceService>
  /** The URL of `/v1/traces`. */
  readonly ingestUrl: string
  readonly neighbours: Neighbours
  readonly issuer: TestIssuer
  readonly nats: TestNats
  readonly databaseUrl: string
  /** Returns call options with a user's access token. */
  readonly as: (subject: string, options?: CallOptions) => Promise<CallOptions>
}

/** Starts observability with its own Postgres database, NATS server, ClickHouse and issuer. */
export async function startPlatform(
  env: Readonly<Record<string, string>> = {},
  overrides: ObservabilityOverrides = {},
): Promise<Platform> {
  await using starting = new AsyncDisposableStack()
  const issuer = starting.use(await testIssuer())
  const neighbours = starting.use(await startNeighbours(issuer))
  const nats = starting.use(await testNats())
  const database = starting.use(await testDatabase({ migrations }))
  const dataDirectory = await mkdtemp(join(tmpdir(), 'slipway-traces-'))
  starting.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const config = readConfig({
    GRPC_ADDRESS: '127.0.0.1:0',
    CONNECT_ADDRESS: '127.0.0.1:0',
    OPS_ADDRESS: '127.0.0.1:0',
    OTLP_ADDRESSES: '127.0.0.1:0',
    OTLP_GRPC_ADDRESSES: '127.0.0.1:0',
    AUTH_ISSUERS: issuer.issuersJson,
    SERVICE_TOKEN_FILE: '/dev/null',
    NATS_URL: nats.url,
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'true',
    CATALOG_ADDRESS: neighbours.catalogAddress,
    DEPLOYER_ADDRESS: neighbours.deployerAddress,
    CLICKHOUSE_DATA_DIR: dataDirectory,
    TRACE_QUERY_TIMEOUT_MS: String(QUERY_TIMEOUT_MS),
    ...env,
  })
  const service = starting.use(
    await startObservability(config, {
      logger: createLogger('observability', 'silent'),
      serviceToken: () => issuer.serviceToken('observability'),
      ...overrides,
    }),
  )
  const transport = starting.use(createGrpcTransport([service.grpcAddress], [TraceService]))
  const running = starting.move()
  return {
    service,
    traces: createClient(TraceService, transport),
    ingestUrl: `http://${service.otlpHttpAddresses[0]}/v1/traces`,
    neighbours,
    issuer,
    nats,
    databaseUrl: database.url,
    async as(subject, options = {}) {
      const headers = new Headers(options.headers)
      headers.set('authorization', `Bearer ${await issuer.userToken(subject)}`)
      return { timeoutMs: QUERY_TIMEOUT_MS, ...options, headers }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
