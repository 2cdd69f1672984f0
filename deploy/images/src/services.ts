import type { ServiceImageOptions } from './service-image.ts'

/** What distinguishes the image of one package of the workspace. */
export type ServiceDescription = Pick<
  ServiceImageOptions,
  'folder' | 'program' | 'title' | 'description' | 'environment' | 'ports'
>

/**
 * Shorter garbage collection, and freed memory returned, for all services; see
 * docs/reference/env.md.
 */
export const MEMORY = {
  NODE_OPTIONS: '--max-semi-space-size=16 --v8-pool-size=1 --expose-gc',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}

const ANY = '0.0.0.0'
const port = { grpc: 9100, operations: 9110, connect: 9120, http: 8080 } as const
const rpc = {
  ...MEMORY,
  GRPC_ADDRESS: `${ANY}:${port.grpc}`,
  CONNECT_ADDRESS: `${ANY}:${port.connect}`,
  OPS_ADDRESS: `${ANY}:${port.operations}`,
}
const rpcPorts = [port.grpc, port.operations, port.connect]

/** The images that run programs of the workspace. The ports are the same in all of them. */
export const SERVICES = {
  catalog: {
    folder: 'services/catalog',
    program: 'src/main.js',
    title: 'slipway/catalog',
    description: 'The catalog of accounts, agents, builds and versions',
    environment: rpc,
    ports: rpcPorts,
  },
  deployer: {
    folder: 'services/deployer',
    program: 'src/main.js',
    title: 'slipway/deployer',
    description: 'Turns builds of agents into workloads on Kubernetes',
    environment: rpc,
    ports: rpcPorts,
  },
  observability: {
    folder: 'services/observability',
    program: 'src/main.js',
    title: 'slipway/observability',
    description: 'Stores and queries the traces of agents',
    environment: {
      ...rpc,
      OTLP_ADDRESSES: `${ANY}:4318`,
      OTLP_GRPC_ADDRESSES: `${ANY}:4317`,
    },
    ports: [...rpcPorts, 4317, 4318],
  },
  gateway: {
    folder: 'services/gateway',
    program: 'src/main.js',
    title: 'slipway/gateway',
    description: 'The REST API',
    environment: {
      ...MEMORY,
      HTTP_ADDRESS: `${ANY}:${port.http}`,
      OPS_ADDRESS: rpc.OPS_ADDRESS,
    },
    ports: [port.http, port.operations],
  },
  'web-adapter': {
    folder: 'examples/web-adapter',
    program: 'src/main.js',
    title: 'slipway/web-adapter',
    description: 'Serves the web interface of a deployed agent',
    ports: [port.http],
  },
  'chart-test': {
    folder: 'deploy/chart-test',
    program: 'src/test.js',
    title: 'slipway/chart-test',
    description: 'Tests an installed release of the chart',
  },
  'chart-test-agent': {
    folder: 'deploy/chart-test',
    program: 'src/agent.js',
    title: 'slipway/chart-test-agent',
    description: 'The agent that the test of the chart deploys',
  },
  'identity-provider': {
    folder: 'deploy/local/identity-provider',
    program: 'main.js',
    title: 'slipway/identity-provider',
    description: 'Signs people in without passwords, for trying Slipway; not for production',
    environment: { LISTEN_ADDRESS: `${ANY}:9200` },
    ports: [9200],
  },
} as const satisfies Readonly<Record<string, ServiceDescription>>
