/** The services, in the order of their dependencies. */
export const SERVICE_NAMES = ['catalog', 'deployer', 'observability', 'gateway'] as const

/** One of the four services. */
export type ServiceName = (typeof SERVICE_NAMES)[number]

/** Variables that replace a part of the stack with a server that runs elsewhere. */
export const REPLACEMENT_KEYS = [
  'CATALOG_DATABASE_URL',
  'DEPLOYER_DATABASE_URL',
  'OBSERVABILITY_DATABASE_URL',
  'NATS_URL',
  'SLIPWAY_ISSUER',
  'CLICKHOUSE_URL',
  // The address at which the pods of another cluster reach this machine's OTLP port.
  'INGEST_URL',
] as const

/** One of the variables that replace a part. */
export type ReplacementKey = (typeof REPLACEMENT_KEYS)[number]

/** The options of `up`. They hold until `down`: a later `up` without options changes nothing. */
export interface StackSettings {
  readonly replicas: Readonly<Record<ServiceName, number>>
  /** The gateway's port on 127.0.0.1. */
  readonly port: number
  /** The ingress controller's port on 127.0.0.1. */
  readonly ingressPort: number
  readonly internet: boolean
  /** Whether Slipway runs in the cluster, as a release of the chart, and not as processes. */
  readonly inCluster: boolean
  /** The kubeconfig of a cluster that replaces the stack's. */
  readonly kubeconfig: string | undefined
  /** URLs of the servers that replace parts. */
  readonly external: Readonly<Partial<Record<ReplacementKey, string>>>
}

/** The default: one process per service, no replaced part, and pods without internet access. */
export const defaultSettings: StackSettings = {
  replicas: { catalog: 1, deployer: 1, observability: 1, gateway: 1 },
  port: 8080,
  ingressPort: 8000,
  internet: false,
  inCluster: false,
  kubeconfig: undefined,
  external: {},
}
