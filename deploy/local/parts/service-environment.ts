import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { rpcAddresses } from '../stack/endpoints.ts'
import type { ServiceEndpoints } from '../stack/endpoints.ts'
import { MEMORY } from '@slipway/images'
import {
  COMMAND_LINE_CLIENT,
  CONSOLE_CLIENT,
  SERVICE_AUDIENCE,
  USER_AUDIENCE,
} from '@slipway/identity-provider/identities'
import { INGRESS_CLASS, INGRESS_DOMAIN } from '../ingress/routes.ts'
import { addresses } from '../kubernetes/layout.ts'
import { messagingImage, SERVED_ADAPTERS } from '../install/messaging-image.ts'
import { storeOverrides } from '../install/store-images.ts'
import { stackSecret } from '../stack/secrets.ts'
import { SERVICE_NAMES } from '../stack/settings.ts'
import type { ServiceName } from '../stack/settings.ts'
import type { Stack } from '../stack/stack.ts'
import { DEVELOPMENT_ISSUER, serviceClientSecret } from './identity-provider.ts'
import { REGISTRY_ADDRESS } from './registry.ts'

/** Returns the environment of one process of a service; see docs/reference/env.md. */
export function serviceEnvironment(
  stack: Stack,
  service: ServiceName,
  own: ServiceEndpoints,
): Record<string, string> {
  return { ...common(stack, service, own), ...specific[service](stack, own) }
}

/** Returns the addresses (host:port) for traces: 127.0.0.1 and the one that pods use. */
export function otlpAddresses(stack: Stack, port: number): string[] {
  const { hostname } = new URL(ingestUrl(stack))
  const local = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const fromPods =
    stack.settings.kubeconfig === undefined || local.some(({ address }) => address === hostname)
  const hosts = fromPods ? ['127.0.0.1', hostname] : ['127.0.0.1']
  return [...new Set(hosts)].map((host) => `${host}:${port}`)
}

function common(stack: Stack, service: ServiceName, own: ServiceEndpoints): Record<string, string> {
  return {
    ...MEMORY,
    LOG_LEVEL: 'info',
    OPS_ADDRESS: own.ops,
    ...(own.grpc === undefined ? {} : { GRPC_ADDRESS: own.grpc }),
    ...(own.connect === undefined ? {} : { CONNECT_ADDRESS: own.connect }),
    AUTH_ISSUERS: JSON.stringify(issuers(stack)),
    NATS_URL: contributed(stack, 'NATS_URL'),
    MIGRATE_ON_START: 'true',
    GRPC_REFLECTION: 'true',
    SERVICE_TOKEN_URL: `${DEVELOPMENT_ISSUER}/token`,
    SERVICE_CLIENT_ID: service,
    SERVICE_CLIENT_SECRET: serviceClientSecret(stack, service),
    SERVICE_TOKEN_RESOURCE: SERVICE_AUDIENCE,
  }
}

const specific: Readonly<
  Record<ServiceName, (stack: Stack, own: ServiceEndpoints) => Record<string, string>>
> = {
  catalog: (stack) => ({
    DATABASE_URL: contributed(stack, 'CATALOG_DATABASE_URL'),
    // Few users create and rename the accounts of all test files.
    MAX_ACCOUNTS_CREATED_PER_USER: '1000',
    MAX_HELD_NAMES_PER_USER: '1000',
    MAX_PUBLISHED_NAMES_PER_ACCOUNT: '1000',
    ...interfaces(stack),
  }),

  deployer: (stack) => ({
    DATABASE_URL: contributed(stack, 'DEPLOYER_DATABASE_URL'),
    CATALOG_ADDRESS: rpcAddresses('catalog', stack.settings),
    KUBECONFIG: contributed(stack, 'DEPLOYER_KUBECONFIG'),
    INGEST_URL: ingestUrl(stack),
    // A cluster of the developer's may have its own registry, e.g. localhost:5001.
    INTERNAL_REGISTRIES: stack.settings.kubeconfig === undefined ? REGISTRY_ADDRESS : '*',
    SECRET_NAME_KEY: stackSecret(stack, 'secret-name-key'),
    ...interfaces(stack),
    ...network(stack),
  }),

  observability: (stack, own) => ({
    DATABASE_URL: contributed(stack, 'OBSERVABILITY_DATABASE_URL'),
    CATALOG_ADDRESS: rpcAddresses('catalog', stack.settings),
    DEPLOYER_ADDRESS: rpcAddresses('deployer', stack.settings),
    OTLP_ADDRESSES: otlpAddresses(stack, own.otlpPort ?? 0).join(','),
    OTLP_GRPC_ADDRESSES: otlpAddresses(stack, own.otlpGrpcPort ?? 0).join(','),
    ...(stack.settings.external.CLICKHOUSE_URL === undefined
      ? { CLICKHOUSE_DATA_DIR: join(stack.stateDir, 'clickhouse') }
      : { CLICKHOUSE_URL: stack.settings.external.CLICKHOUSE_URL }),
  }),

  gateway: (stack, own) => ({
    HTTP_ADDRESS: own.http ?? '',
    CONSOLE_FOLDER: contributed(stack, 'CONSOLE_FOLDER'),
    CATALOG_ADDRESS: rpcAddresses('catalog', stack.settings),
    DEPLOYER_ADDRESS: rpcAddresses('deployer', stack.settings),
    OBSERVABILITY_ADDRESS: rpcAddresses('observability', stack.settings),
    IDEMPOTENCY_KEY_SECRET: stackSecret(stack, 'idempotency-key'),
    ...signIn(stack),
    // Tests and benches send many requests from one address and for few users.
    RATE_LIMIT_ADDRESS_PER_SECOND: '100000',
    RATE_LIMIT_ADDRESS_BURST: '100000',
    RATE_LIMIT_USER_PER_SECOND: '100000',
    RATE_LIMIT_USER_BURST: '100000',
    RATE_LIMIT_CHANGES_PER_SECOND: '100000',
    RATE_LIMIT_CHANGES_BURST: '100000',
  }),
}

function issuers(stack: Stack) {
  const services = Object.fromEntries(SERVICE_NAMES.map((name) => [name, name]))
  return [
    {
      issuer: contributed(stack, 'SLIPWAY_ISSUER'),
      audience: USER_AUDIENCE,
      realm: 'local',
      kind: 'user',
      // Another provider has other clients.
      ...(stack.settings.external.SLIPWAY_ISSUER === undefined && {
        login: { client_id: COMMAND_LINE_CLIENT },
      }),
    },
    { issuer: DEVELOPMENT_ISSUER, audience: SERVICE_AUDIENCE, kind: 'service', services },
  ]
}

// Another provider has other clients.
function signIn(stack: Stack): Record<string, string> {
  if (stack.settings.external.SLIPWAY_ISSUER !== undefined) return {}
  return { SIGN_IN_CLIENT_ID: CONSOLE_CLIENT, SESSION_KEY: stackSecret(stack, 'session-key') }
}

// The catalog and the deployer must have the same values, because both build deployment templates.
function interfaces(stack: Stack): Record<string, string> {
  if (stack.settings.kubeconfig !== undefined) return {}
  return {
    MESSAGING_IMAGE: messagingImage(stack, REGISTRY_ADDRESS),
    MESSAGING_ADAPTERS: SERVED_ADAPTERS,
    // Nodes without internet access have only these images of stores.
    ...(stack.internet ? {} : { PROVIDER_OVERRIDES: storeOverrides(REGISTRY_ADDRESS) }),
  }
}

function network({ settings }: Stack): Record<string, string> {
  if (settings.kubeconfig !== undefined) return {}
  // nginx runs on the node; pods see the address of the node or of their bridge.
  const peers = [addresses.node, addresses.bridge].map((address) => ({
    ipBlock: { cidr: `${address}/32` },
  }))
  return {
    INGRESS_DOMAIN: INGRESS_DOMAIN,
    INGRESS_CLASS: INGRESS_CLASS,
    INGRESS_SCHEME: 'http',
    INGRESS_PORT: String(settings.ingressPort),
    NETWORK_INGRESS_PEERS: JSON.stringify(peers),
    // The DNS server runs on the node.
    NETWORK_DNS_PEERS: JSON.stringify([{ ipBlock: { cidr: `${addresses.node}/32` } }]),
  }
}

function ingestUrl(stack: Stack): string {
  if (stack.settings.external.INGEST_URL !== undefined) return stack.settings.external.INGEST_URL
  const host = stack.settings.kubeconfig === undefined ? addresses.node : '127.0.0.1'
  return `http://${host}:4318`
}

function contributed(stack: Stack, key: string): string {
  const value = stack.env.get(key)
  if (value === undefined) throw new Error(`no part has set ${key}`)
  return value
}
