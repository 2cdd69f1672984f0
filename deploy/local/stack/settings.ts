/** The services, in the order of their dependencies. */
export const serviceNames = ['catalog', 'deployer', 'observability', 'gateway'] as const

/** One of the four services. */
export type ServiceName = (typeof serviceNames)[number]

/** Variables by which a part is replaced with something that runs elsewhere. */
export const replacementKeys = [
  'CATALOG_DATABASE_URL',
  'DEPLOYER_DATABASE_URL',
  'OBSERVABILITY_DATABASE_URL',
  'NATS_URL',
  'SLIPWAY_ISSUER',
  'CLICKHOUSE_URL',
  // Where the pods of another cluster reach this machine's OTLP port.
  'INGEST_URL',
] as const

/** One of the variables by which a part is replaced. */
export type ReplacementKey = (typeof replacementKeys)[number]

/**
 * What `up` was asked for. It holds until `down`, so that a later `up` without options changes
 * nothing.
 */
export interface StackSettings {
  readonly replicas: Readonly<Record<ServiceName, number>>
  /** The gateway's port on 127.0.0.1. */
  readonly port: number
  /** The ingress controller's port on 127.0.0.1. */
  readonly ingressPort: number
  readonly internet: boolean
  /** A cluster of the user's instead of the stack's own. */
  readonly kubeconfig: string | undefined
  /** Parts that are not started here: the URL of what is used instead. */
  readonly external: Readonly<Partial<Record<ReplacementKey, string>>>
}

/** A stack with nothing said: one of each, all of its own, no way out for pods. */
export const defaultSettings: StackSettings = {
  replicas: { catalog: 1, deployer: 1, observability: 1, gateway: 1 },
  port: 8080,
  ingressPort: 8000,
  internet: false,
  kubeconfig: undefined,
  external: {},
}
