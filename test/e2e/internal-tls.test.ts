import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { startDeployer } from '@slipway/deployer'
import { readConfig as readDeployerConfig } from '@slipway/deployer/config'
import { startGateway } from '@slipway/gateway'
import { readConfig as readGatewayConfig } from '@slipway/gateway/config'
import { startObservability } from '@slipway/observability'
import { readConfig as readObservabilityConfig } from '@slipway/observability/config'
import { createLogger } from '@slipway/shared/logger'
import { testAuthority, testDatabase, testIssuer, testNats } from '@slipway/testing'
import { expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'

const ANY_PORT = '127.0.0.1:0'
const SECRET = 'ab'.repeat(32)

/** The address of a listener by the name in its certificate. */
const byName = (address: string) => address.replace('127.0.0.1', 'localhost')

/** Starts all services with TLS between them. Returns the URLs for users and for traces. */
async function startSystem(stack: AsyncDisposableStack) {
  const logger = createLogger('test', 'silent')
  const overrides = { logger }
  const issuer = stack.use(await testIssuer())
  const nats = stack.use(await testNats())
  const authority = stack.use(await testAuthority())
  const { chainFile, keyFile } = await authority.issue('localhost')
  const common = {
    AUTH_ISSUERS: issuer.issuersJson,
    NATS_URL: nats.url,
    OPS_ADDRESS: ANY_PORT,
    RPC_TLS_CA_FILE: authority.caFile,
  }
  const environmentOf = async (service: string) => {
    const tokenFile = join(dirname(keyFile), `${service}.token`)
    await writeFile(tokenFile, await issuer.serviceToken(service))
    return {
      ...common,
      GRPC_ADDRESS: ANY_PORT,
      CONNECT_ADDRESS: ANY_PORT,
      RPC_TLS_CERT_FILE: chainFile,
      RPC_TLS_KEY_FILE: keyFile,
      DATABASE_URL: stack.use(await testDatabase({ migrations: {} })).url,
      MIGRATE_ON_START: 'true',
      SERVICE_TOKEN_FILE: tokenFile,
    }
  }

  const catalog = stack.use(
    await startCatalog(readCatalogConfig(await environmentOf('catalog')), overrides),
  )
  const CATALOG_ADDRESS = byName(catalog.connectAddress)
  const deployerConfig = readDeployerConfig({
    ...(await environmentOf('deployer')),
    CATALOG_ADDRESS,
    KUBECONFIG: fromStack('DEPLOYER_KUBECONFIG'),
    SECRET_NAME_KEY: SECRET,
  })
  const deployer = stack.use(await startDeployer(deployerConfig, overrides))
  const DEPLOYER_ADDRESS = byName(deployer.grpcAddress)
  const observabilityConfig = readObservabilityConfig({
    ...(await environmentOf('observability')),
    CATALOG_ADDRESS,
    DEPLOYER_ADDRESS,
    CLICKHOUSE_URL: 'none',
    OTLP_ADDRESSES: ANY_PORT,
  })
  const observability = stack.use(await startObservability(observabilityConfig, overrides))
  const gatewayConfig = readGatewayConfig({
    ...common,
    HTTP_ADDRESS: ANY_PORT,
    CATALOG_ADDRESS,
    DEPLOYER_ADDRESS,
    OBSERVABILITY_ADDRESS: byName(observability.grpcAddress),
    IDEMPOTENCY_KEY_SECRET: SECRET,
  })
  const gateway = stack.use(await startGateway(gatewayConfig, overrides))
  return {
    url: `${gateway.url}/api/v1`,
    ingestUrl: `http://${observability.otlpHttpAddresses[0]}/v1/traces`,
    token: await issuer.userToken('alice'),
  }
}

test('the services call each other by TLS', async () => {
  await using stack = new AsyncDisposableStack()
  const { url, ingestUrl, token } = await startSystem(stack)
  async function answerOf(path: string): Promise<unknown[]> {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}${path}`, { headers })
    const { code } = (await response.json()) as { code?: string }
    return [response.status, code]
  }
  // Gateway to catalog.
  expect(await answerOf('/me')).toEqual([200, undefined])
  // Gateway to deployer, which asks the catalog for the caller's role.
  expect(await answerOf('/deployments?account=alice')).toEqual([200, undefined])
  // Gateway to observability, which asks the catalog, too.
  const traces = '/agents/alice/helper/observability/traces'
  expect(await answerOf(traces)).toEqual([503, 'trace_store_disabled'])
  // Observability to deployer, which doesn't know the ingest token.
  const headers = { authorization: 'Bearer unknown', 'content-type': 'application/json' }
  const ingest = await fetch(ingestUrl, { method: 'POST', headers, body: '{}' })
  expect(ingest.status).toBe(401)
})
