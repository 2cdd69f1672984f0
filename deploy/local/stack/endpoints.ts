import type { ServiceName } from './settings.ts'

/** The addresses that one process of a service listens on, as `host:port`. */
export interface ServiceEndpoints {
  /** The daemon's name: `catalog`, `catalog-2`. */
  readonly daemon: string
  /** gRPC; undefined for the gateway. */
  readonly grpc: string | undefined
  /** Connect over HTTP/1.1; undefined for the gateway. */
  readonly connect: string | undefined
  /** Health and metrics. */
  readonly ops: string
  /** REST; only for the gateway. */
  readonly http: string | undefined
  /** OTLP over HTTP; only for observability. */
  readonly otlpPort: number | undefined
  /** OTLP over gRPC; only for observability. */
  readonly otlpGrpcPort: number | undefined
}

/** The number of processes of one service that a stack has ports for. */
export const MAX_REPLICAS = 5

const REPLICA_STRIDE = 30
const FIRST_OTLP_PORT = 4318
const FIRST_OTLP_GRPC_PORT = 4317
const firstPorts: Readonly<Record<ServiceName, { grpc?: number; connect?: number; ops: number }>> =
  {
    catalog: { grpc: 9101, connect: 9121, ops: 9111 },
    deployer: { grpc: 9102, connect: 9122, ops: 9112 },
    observability: { grpc: 9103, connect: 9123, ops: 9113 },
    gateway: { ops: 9114 },
  }

/** Returns the addresses of every process of a service. */
export function serviceEndpoints(
  service: ServiceName,
  settings: { readonly replicas: Readonly<Record<ServiceName, number>>; readonly port: number },
): readonly ServiceEndpoints[] {
  const { grpc, connect, ops } = firstPorts[service]
  return Array.from({ length: settings.replicas[service] }, (_, index) => {
    const offset = REPLICA_STRIDE * index
    return {
      daemon: index === 0 ? service : `${service}-${index + 1}`,
      grpc: grpc === undefined ? undefined : `127.0.0.1:${grpc + offset}`,
      connect: connect === undefined ? undefined : `127.0.0.1:${connect + offset}`,
      ops: `127.0.0.1:${ops + offset}`,
      http: service === 'gateway' ? `127.0.0.1:${settings.port + offset}` : undefined,
      otlpPort: service === 'observability' ? FIRST_OTLP_PORT + offset : undefined,
      otlpGrpcPort: service === 'observability' ? FIRST_OTLP_GRPC_PORT + offset : undefined,
    }
  })
}

/**
 * Returns the addresses at which other services call a service, separated by commas: Connect for
 * the catalog, gRPC for the others.
 */
export function rpcAddresses(
  service: ServiceName,
  settings: Parameters<typeof serviceEndpoints>[1],
): string {
  return serviceEndpoints(service, settings)
    .flatMap(({ grpc, connect }) => (service === 'catalog' ? connect : grpc) ?? [])
    .join(',')
}
