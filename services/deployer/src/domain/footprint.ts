import {
  componentName,
  parseQuantity,
  type ComponentKind,
  type DeploymentTemplate,
  type TemplateResources,
} from '@slipway/agent-spec'

/** The limits of an account that are sums over its live deployments. */
export const AMOUNTS = [
  'pods',
  'cpu',
  'memory_bytes',
  'storage_bytes',
  'config_bytes',
  'gpus',
] as const

/** Amounts in the units of the limits: CPUs in millicores, all others but counts in bytes. */
export type Amounts = Readonly<Record<(typeof AMOUNTS)[number], number>>

/** What each component occupies, by its name. The extra pods of a rollout don't count. */
export type Components = Readonly<Record<string, Amounts>>

/** What a deployment occupies in the cluster. */
export interface Footprint {
  /** The deployment's last revision when this was stored. An older release doesn't update it. */
  readonly revision: number
  /**
   * Whether the last apply was complete. Otherwise the cluster may still have components of earlier
   * revisions, which count as well.
   */
  readonly isSettled: boolean
  readonly components: Components
  readonly total: Amounts
}

/** The amounts of nothing. */
export const NO_AMOUNTS: Amounts = {
  pods: 0,
  cpu: 0,
  memory_bytes: 0,
  storage_bytes: 0,
  config_bytes: 0,
  gpus: 0,
}

const SECTIONS = [
  ['models', 'model'],
  ['knowledge', 'knowledge'],
  ['tools', 'tool'],
] as const satisfies readonly (readonly [keyof DeploymentTemplate, ComponentKind])[]

/**
 * Returns what the components of a valid template occupy, without their variables (see
 * `withConfig`). An ingestion counts as one replica.
 */
export function componentsOf(template: DeploymentTemplate): Components {
  const { agent, ingestion, interfaces } = template
  return Object.fromEntries([
    ['agent', amountsOf(agent)],
    ...SECTIONS.flatMap(([section, kind]) =>
      Object.entries(template[section]).map(
        ([entry, component]) => [componentName(kind, entry), amountsOf(component)] as const,
      ),
    ),
    ...Object.entries(ingestion).map(
      ([entry, { resources }]) =>
        [componentName('ingestion', entry), amountsOf({ replicas: 1, resources })] as const,
    ),
    ...(interfaces.adapters.length > 0
      ? [['messaging', amountsOf({ replicas: 1, resources: interfaces.resources })] as const]
      : []),
  ])
}

/** Joins two revisions that may both run: each component with the larger amounts. */
export function joinComponents(a: Components, b: Components): Components {
  return Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [
      name,
      eachAmount((amount) => Math.max(a[name]?.[amount] ?? 0, b[name]?.[amount] ?? 0)),
    ]),
  )
}

/** Adds volumes, by component. Those of removed components stay until an undeploy. */
export function withVolumes(
  components: Components,
  sizes: Readonly<Record<string, number>>,
): Components {
  return withAmount(components, 'storage_bytes', sizes)
}

/** Adds the size of what the cluster stores of variables, by component. */
export function withConfig(
  components: Components,
  sizes: Readonly<Record<string, number>>,
): Components {
  return withAmount(components, 'config_bytes', sizes)
}

function withAmount(
  components: Components,
  name: 'storage_bytes' | 'config_bytes',
  amounts: Readonly<Record<string, number>>,
): Components {
  const added = Object.entries(amounts).map(
    ([component, amount]) => [component, { ...NO_AMOUNTS, [name]: amount }] as const,
  )
  return joinComponents(components, Object.fromEntries(added))
}

/** Returns the size of each component's volumes in bytes. */
export function volumesOf(components: Components): Record<string, number> {
  return Object.fromEntries(
    Object.entries(components).flatMap(([name, { storage_bytes }]) =>
      storage_bytes > 0 ? [[name, storage_bytes]] : [],
    ),
  )
}

/** Adds up amounts. Those that an older release has stored may lack some. */
export function sumAmounts(all: Iterable<Partial<Amounts>>): Amounts {
  const amounts = [...all]
  return eachAmount((name) =>
    Math.min(
      amounts.reduce((sum, each) => sum + (each[name] ?? 0), 0),
      Number.MAX_SAFE_INTEGER,
    ),
  )
}

/** Returns amounts, each computed from its name. */
export function eachAmount(amount: (name: (typeof AMOUNTS)[number]) => number): Amounts {
  return Object.fromEntries(AMOUNTS.map((name) => [name, amount(name)])) as Amounts
}

function amountsOf({
  replicas,
  resources: { limits },
  storage,
  gpu,
}: {
  readonly replicas: number
  readonly resources: TemplateResources
  readonly storage?: { readonly size: string }
  readonly gpu?: { readonly count: number }
}): Amounts {
  return {
    // A component without replicas has a Service and other objects.
    pods: Math.max(replicas, 1),
    cpu: replicas * millicores(limits.cpu),
    memory_bytes: replicas * bytes(limits.memory),
    storage_bytes: storage ? replicas * bytes(storage.size) : 0,
    config_bytes: 0,
    gpus: gpu ? replicas * gpu.count : 0,
  }
}

/** Returns a quantity of CPUs in millicores, rounded as Kubernetes does. */
export function millicores(quantity: string): number {
  // The product may be slightly above a whole number.
  return Math.ceil((parseQuantity(quantity) ?? 0) * 1000 - 1e-6)
}

/** Returns a quantity in bytes, rounded as Kubernetes does. */
export function bytes(quantity: string): number {
  return Math.ceil(parseQuantity(quantity) ?? 0)
}
