import { randomBytes } from 'node:crypto'

import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { createLogger } from '@slipway/shared/logger'
import { testDatabase } from '@slipway/testing'

import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  toOtlpSpan,
} from '@slipway/observability/testing/otlp'
import { startPlatform } from '@slipway/observability/testing/platform'

/** Long enough for a busy machine: a request without a response by then fails the test. */
const PATIENCE_MS = 60_000

/** The parts of a response that are compared. */
export interface Outcome {
  readonly status: number
  readonly code: string | undefined
  readonly contentType: string
  readonly mayRetry: boolean
}

/** A gateway, a catalog and an observability service whose trace store tests break. */
export interface FaultyObservability extends AsyncDisposable {
  /** Calls the four observability routes for an agent in the caller's account. */
  observe(): Promise<readonly Outcome[]>
  /** Calls other routes of the API; returns the statuses. */
  others(): Promise<readonly number[]>
  /** Sends one span with a valid ingest token. */
  ingest(): Promise<Outcome>
  /** Whether the observability service reports that it is ready. */
  isReady(): Promise<boolean>
}

/** Starts such a system; `env` says where observability's trace store is. */
export async function startFaultyObservability(
  env: Readonly<Record<string, string>>,
): Promise<FaultyObservability> {
  await using starting = new AsyncDisposableStack()
  const logger = createLogger('test', 'silent')
  const platform = starting.use(await startPlatform({ TRACE_QUERY_TIMEOUT_MS: '5000', ...env }))
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  platform.neighbours.tokens.set('token', owner)
  const common = {
    AUTH_ISSUERS: platform.issuer.issuersJson,
    NATS_URL: platform.nats.url,
    OPS_ADDRESS: '127.0.0.1:0',
  }
  const database = starting.use(await testDatabase({ migrations: {} }))
  const settings = {
    GRPC_ADDRESS: '127.0.0.1:0',
    CONNECT_ADDRESS: '127.0.0.1:0',
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'true',
  }
  const catalog = starting.use(
    await startCatalog(readCatalogConfig({ ...common, ...settings }), { logger }),
  )
  const config = readGatewayConfig({
    ...common,
    HTTP_ADDRESS: '127.0.0.1:0',
    CATALOG_ADDRESS: catalog.connectAddress,
    DEPLOYER_ADDRESS: '127.0.0.1:1',
    OBSERVABILITY_ADDRESS: platform.service.grpcAddress,
    IDEMPOTENCY_KEY_SECRET: randomBytes(32).toString('hex'),
    // Tests poll until everything works, which may take long.
    RATE_LIMIT_USER_PER_SECOND: '100000',
    RATE_LIMIT_USER_BURST: '100000',
  })
  const gateway = starting.use(await startGateway(config, { logger }))
  const authorization = `Bearer ${await platform.issuer.userToken('alice')}`
  const get = (path: string) =>
    fetch(`${gateway.url}/api/v1${path}`, {
      headers: { authorization },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  const running = starting.move()
  return {
    async observe() {
      const base = '/agents/acme/helper/observability'
      const routes = ['traces', 'metrics', 'summary', `traces/${'1'.repeat(32)}`]
      return await Promise.all(
        routes.map(async (route) => await outcomeOf(await get(`${base}/${route}`))),
      )
    },
    async others() {
      return await Promise.all(
        ['/me', '/agents', '/agents/no-such-account/no-such-agent'].map(
          async (path) => (await outcomeOf(await get(path))).status,
        ),
      )
    },
    async ingest() {
      const span = toOtlpSpan({
        traceId: newTraceId(),
        spanId: newSpanId(),
        startMs: Date.now() - 1000,
      })
      return await outcomeOf(await post(platform.ingestUrl, 'token', encodeRequest([span])))
    },
    async isReady() {
      return (await fetch(`http://${platform.service.opsAddress}/readyz`)).ok
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const contentType = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
  const text = await response.text()
  const body = contentType.endsWith('json') ? (JSON.parse(text) as { code?: string }) : {}
  const mayRetry = Number(response.headers.get('retry-after')) > 0
  return { status: response.status, code: body.code, contentType, mayRetry }
}
