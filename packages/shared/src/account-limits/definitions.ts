/** A limit of what one account can have or use. */
export interface LimitDefinition {
  /** The service that enforces it. */
  readonly service: 'catalog' | 'deployer' | 'observability'
  /**
   * `bytes` can be written with a suffix (`10Gi`), `millicores` as CPUs (`0.5`) or `500m`. A limit
   * in `days` is how long something is kept, so nothing uses it up.
   */
  readonly unit: 'count' | 'bytes' | 'millicores' | 'days'
  readonly default: number
  /** What is counted: a noun phrase for the reference and for errors. */
  readonly meaning: string
  /** How a member of the account makes room, for the reference and for errors. */
  readonly remedy: string
}

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/** All limits of an account, by name. An operator's file changes them; see the reference. */
export const accountLimitDefinitions = {
  agents: {
    service: 'catalog',
    unit: 'count',
    default: 1000,
    meaning: 'registered agents',
    remedy: 'delete agents',
  },
  builds: {
    service: 'catalog',
    unit: 'count',
    default: 20_000,
    meaning: 'registered builds of all agents',
    remedy: 'delete unpublished builds',
  },
  catalog_bytes: {
    service: 'catalog',
    unit: 'bytes',
    default: 2 * GIB,
    meaning: 'stored content of all builds: specs as sent and as parsed, readmes, warnings',
    remedy: 'delete unpublished builds',
  },
  members: {
    service: 'catalog',
    unit: 'count',
    default: 1000,
    meaning: 'members',
    remedy: 'remove members',
  },
  machine_tokens: {
    service: 'catalog',
    unit: 'count',
    default: 100,
    meaning: 'machine tokens that have not expired',
    remedy: 'revoke tokens',
  },
  deployments: {
    service: 'deployer',
    unit: 'count',
    default: 100,
    meaning: 'live deployments',
    remedy: 'undeploy agents',
  },
  pods: {
    service: 'deployer',
    unit: 'count',
    default: 500,
    meaning: 'replicas of all components of all live deployments, at least one for each component',
    remedy: 'reduce replicas or undeploy agents',
  },
  cpu: {
    service: 'deployer',
    unit: 'millicores',
    default: 200_000,
    meaning: 'CPU limits of all replicas of all live deployments',
    remedy: 'reduce CPU limits or replicas, or undeploy agents',
  },
  memory_bytes: {
    service: 'deployer',
    unit: 'bytes',
    default: 500 * GIB,
    meaning: 'memory limits of all replicas of all live deployments',
    remedy: 'reduce memory limits or replicas, or undeploy agents',
  },
  storage_bytes: {
    service: 'deployer',
    unit: 'bytes',
    default: 1024 * GIB,
    meaning: 'persistent volumes of all live deployments',
    remedy: 'undeploy agents with volumes',
  },
  config_bytes: {
    service: 'deployer',
    unit: 'bytes',
    default: 10 * MIB,
    meaning: 'names and values of the variables and credentials of all live deployments',
    remedy: 'shorten variables or credentials, or undeploy agents',
  },
  gpus: {
    service: 'deployer',
    unit: 'count',
    default: 16,
    meaning: 'GPUs of all replicas of all live deployments',
    remedy: 'reduce GPUs or replicas, or undeploy agents',
  },
  ingestion_runs: {
    service: 'deployer',
    unit: 'count',
    default: 20,
    meaning: 'manual ingestions that run at the same time',
    remedy: 'wait until a run has ended',
  },
  spans_per_day: {
    service: 'observability',
    unit: 'count',
    default: 20_000_000,
    meaning: 'spans and log records stored on one day (UTC)',
    remedy: 'wait until 00:00 UTC',
  },
  trace_days: {
    service: 'observability',
    unit: 'days',
    default: 3650,
    meaning: 'how long traces are kept, at most `TRACE_RETENTION_DAYS`',
    remedy: 'read what you want to keep before it is deleted',
  },
} as const satisfies Record<string, LimitDefinition>

/** The name of a limit, as in the operator's file and in the usage of an account. */
export type AccountLimitName = keyof typeof accountLimitDefinitions

/** The limits of one account, each in its unit. */
export type AccountLimits = Readonly<Record<AccountLimitName, number>>
