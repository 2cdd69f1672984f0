import type { ServiceName } from './settings.ts'

/** Where one process of a service listens: host:port each. */
export interface ServiceEndpoints {
  /** The daemon's name: `catalog`, `catalog-2`. */
  readonly daemon: string
  /** gRPC; the gateway has none. */
  readonly grpc: string | undefined
  readonly ops: string
  /** REST; only the gateway's. */
  readonly http: string | undefined
  /** OTLP over HTTP; only observability's. */
  readonly otlpPort: number | undefined
  /** OTLP over gRPC; only observability's. */
  readonly otlpGrpcPort: number | undefined
}

/** Processes of one service that a stack has ports for. */
export const maxReplicas = 5

const replicaStride = 20
const firstOtlpPort = 4318
const firstOtlpGrpcPort = 4317
const firstPorts: Readonly<Record<ServiceName, { grpc?: number; ops: number }>> = {
  catalog: { grpc: 9101, ops: 9111 },
  deployer: { grpc: 9102, ops: 9112 },
  observability: { grpc: 9103, ops: 9113 },
  gateway: { ops: 9114 },
}

/** The addresses of every process of a service. */
export function serviceEndpoints(
  service: ServiceName,
  settings: { readonly replicas: Readonly<Record<ServiceName, number>>; readonly port: number },
): readonly ServiceEndpoints[] {
  const { grpc, ops } = firstPorts[service]
  return Array.from({ length: settings.replicas[service] }, (_, index) => {
    const offset = replicaStride * index
    return {
      daemon: index === 0 ? service : `${service}-${index + 1}`,
      grpc: grpc === undefined ? undefined : `127.0.0.1:${grpc + offset}`,
      ops: `127.0.0.1:${ops + offset}`,
      http: service === 'gateway' ? `127.0.0.1:${settings.port + offset}` : undefined,
      otlpPort: service === 'observability' ? firstOtlpPort + offset : undefined,
      otlpGrpcPort: service === 'observability' ? firstOtlpGrpcPort + offset : undefined,
    }
  })
}

/**
 * Where other services call every process of a service, as one setting: the catalog by Connect, the
 * others by gRPC.
 */
export function rpcAddresses(
  service: ServiceName,
  settings: Parameters<typeof serviceEndpoints>[1],
): string {
  return serviceEndpoints(service, settings)
    .flatMap(({ grpc, ops }) => (service === 'catalog' ? ops : (grpc ?? [])))
    .join(',')
}
