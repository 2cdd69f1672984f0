import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startDeployer } from '@slipway/deployer'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { createLogger } from '@slipway/shared/logger'
import { testDatabase } from '@slipway/testing'

import { startCatalogAndGateways } from './catalog-and-gateways.ts'
import { fromStack } from './environment.ts'

/** A deployer on the stack's cluster, with its own gateway, catalog, database, NATS and issuer. */
export interface DeployerAndGateway extends AsyncDisposable {
  /** A user's own account. */
  accountOf(person: string): Promise<string>
  /** Sends a request as a user; the path starts below `/api/v1`. */
  send(as: string, method: string, path: string, body?: unknown): Promise<Response>
}

/** Starts them; `env` adds to or replaces the deployer's settings. */
export async function startDeployerAndGateway(
  env: Readonly<Record<string, string>>,
): Promise<DeployerAndGateway> {
  await using starting = new AsyncDisposableStack()
  const logger = createLogger('test', 'silent')
  const { issuer, nats, lines, send } = starting.use(await startCatalogAndGateways([{}]))
  const database = starting.use(await testDatabase({ migrations: {} }))
  const directory = await mkdtemp(join(tmpdir(), 'slipway-own-deployer-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('deployer'))
  const common = {
    AUTH_ISSUERS: issuer.issuersJson,
    NATS_URL: nats.url,
    OPS_ADDRESS: '127.0.0.1:0',
    CATALOG_ADDRESS: lines[0]?.address ?? '',
  }
  const deployer = starting.use(
    await startDeployer(
      readDeployerConfig({
        ...common,
        GRPC_ADDRESS: '127.0.0.1:0',
        CONNECT_ADDRESS: '127.0.0.1:0',
        DATABASE_URL: database.url,
        MIGRATE_ON_START: 'true',
        SERVICE_TOKEN_FILE: tokenFile,
        KUBECONFIG: fromStack('DEPLOYER_KUBECONFIG'),
        SECRET_NAME_KEY: '6e'.repeat(32),
        INGEST_URL: 'http://10.240.0.1:4318',
        INTERNAL_REGISTRIES: fromStack('SLIPWAY_REGISTRY'),
        ...env,
      }),
      { logger },
    ),
  )
  const gateway = starting.use(
    await startGateway(
      readGatewayConfig({
        ...common,
        HTTP_ADDRESS: '127.0.0.1:0',
        DEPLOYER_ADDRESS: deployer.grpcAddress,
        OBSERVABILITY_ADDRESS: '127.0.0.1:1',
        IDEMPOTENCY_KEY_SECRET: 'ef'.repeat(32),
      }),
      { logger },
    ),
  )
  const running = starting.move()
  return {
    async accountOf(person) {
      const { body } = await send(0, 'GET', '/me', { as: person })
      return body.accounts.find(({ type }: { type: string }) => type === 'personal').name
    },
    send: async (as, method, path, body) =>
      await fetch(`${gateway.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await issuer.userToken(as)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Writes the deployer's kubeconfig, with `url` as the API server when it is given. Returns the URL
 * of the real one.
 */
export async function deployerKubeconfigVia(file: string, url?: string): Promise<string> {
  const text = await readFile(fromStack('DEPLOYER_KUBECONFIG'), 'utf8')
  const server = /server"?:\s*"?(https:[^\s",}]+)/.exec(text)?.[1] ?? ''
  await writeFile(file, text.replace(server, url?.replace(/\/$/, '') ?? server), { mode: 0o600 })
  return server
}
