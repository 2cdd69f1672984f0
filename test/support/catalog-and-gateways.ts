import { randomBytes } from 'node:crypto'

import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startGateway, type Gateway, type GatewayOverrides } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { createLogger, type Logger } from '@slipway/shared/logger'
import {
  testDatabase,
  testIssuer,
  testNats,
  type TestIssuer,
  type TestNats,
} from '@slipway/testing'

import { holdingProxy, type HoldingProxy } from './holding-proxy.ts'

/** A catalog with its gateways, database, NATS and issuer. */
export interface CatalogAndGateways extends AsyncDisposable {
  readonly issuer: TestIssuer
  readonly nats: TestNats
  readonly gateways: readonly Gateway[]
  /** The proxy between each gateway and the catalog. */
  readonly lines: readonly HoldingProxy[]
  /** Sends a request to a gateway, as a user if `as` is given; the path starts below `/api/v1`. */
  readonly send: (
    gateway: number,
    method: string,
    path: string,
    options?: SendOptions,
  ) => Promise<SentAnswer>
}

/** Options of a request. */
export interface SendOptions {
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response, whatever its status. */
export interface SentAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What the catalog and all gateways have in common. */
export interface CommonOptions {
  readonly logger?: Logger
  /** AUTH_ISSUERS, for the URL of the issuer of the test. */
  readonly issuersOf?: (url: string) => readonly object[]
}

/**
 * Starts a catalog and a gateway for each environment, which adds to or replaces the usual
 * settings. `overrides` are by gateway, too.
 */
export async function startCatalogAndGateways(
  environments: readonly Readonly<Record<string, string>>[],
  overrides: readonly GatewayOverrides[] = [],
  { logger = createLogger('test', 'silent'), issuersOf }: CommonOptions = {},
): Promise<CatalogAndGateways> {
  const stack = new AsyncDisposableStack()
  try {
    const issuer = stack.use(await testIssuer())
    const nats = stack.use(await testNats())
    // The catalog creates its tables.
    const database = stack.use(await testDatabase({ migrations: {} }))
    const common = {
      AUTH_ISSUERS: issuersOf ? JSON.stringify(issuersOf(issuer.url)) : issuer.issuersJson,
      NATS_URL: nats.url,
      OPS_ADDRESS: '127.0.0.1:0',
    }
    const catalog = stack.use(
      await startCatalog(
        readCatalogConfig({
          ...common,
          GRPC_ADDRESS: '127.0.0.1:0',
          CONNECT_ADDRESS: '127.0.0.1:0',
          DATABASE_URL: database.url,
          MIGRATE_ON_START: 'true',
          // A user of a test creates many accounts.
          MAX_ACCOUNTS_CREATED_PER_USER: '1000',
        }),
        { logger },
      ),
    )
    const secret = randomBytes(32).toString('hex')
    const gateways: Gateway[] = []
    const lines: HoldingProxy[] = []
    for (const [index, environment] of environments.entries()) {
      const line = stack.use(await holdingProxy(catalog.connectAddress))
      lines.push(line)
      const config = readGatewayConfig({
        ...common,
        HTTP_ADDRESS: '127.0.0.1:0',
        CATALOG_ADDRESS: line.address,
        DEPLOYER_ADDRESS: '127.0.0.1:1',
        OBSERVABILITY_ADDRESS: '127.0.0.1:1',
        IDEMPOTENCY_KEY_SECRET: secret,
        ...environment,
      })
      gateways.push(stack.use(await startGateway(config, { logger, ...overrides[index] })))
    }
    const running = stack.move()
    return {
      issuer,
      nats,
      gateways,
      lines,
      async send(gateway, method, path, { as, body, headers: extra } = {}) {
        const headers = new Headers(extra)
        if (as !== undefined) headers.set('authorization', `Bearer ${await issuer.userToken(as)}`)
        if (body !== undefined) headers.set('content-type', 'application/json')
        const response = await fetch(`${gateways[gateway]?.url}/api/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        const isJson = /^application\/(problem\+)?json/.test(
          response.headers.get('content-type') ?? '',
        )
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : undefined,
        }
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/**
 * Registers a build of an agent through a gateway, and publishes it when a version is given.
 * Returns the account.
 */
export async function register(
  { send }: CatalogAndGateways,
  gateway: number,
  { as, name, buildId, version }: { as: string; name: string; buildId: string; version?: string },
): Promise<string> {
  const me = await send(gateway, 'GET', '/me', { as })
  const account: string = me.body.accounts.find(
    ({ type }: { type: string }) => type === 'personal',
  ).name
  const build = {
    build_id: buildId,
    registry: 'oci://registry.example/x',
    spec_content: `spec: astro/v1\nname: ${name}\n`,
  }
  await expectCreated(
    send(gateway, 'POST', `/agents/${account}/${name}/register`, { as, body: build }),
  )
  if (version !== undefined) {
    const body = { build_id: buildId, version }
    await expectCreated(send(gateway, 'POST', `/agents/${account}/${name}/publish`, { as, body }))
  }
  return account
}

async function expectCreated(answer: Promise<SentAnswer>): Promise<void> {
  const { status, text } = await answer
  if (status !== 201) throw new Error(`the request returned ${status}: ${text}`)
}
