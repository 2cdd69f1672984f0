import {
  componentName,
  parseQuantity,
  type ComponentKind,
  type DeploymentTemplate,
  type TemplateResources,
} from '@slipway/agent-spec'

/** The limits of an account that are sums over its live deployments. */
export const AMOUNTS = ['pods', 'cpu', 'memory_bytes', 'storage_bytes', 'gpus'] as const

/** Amounts in the units of the limits: CPUs in millicores, memory and storage in bytes. */
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

const SECTIONS = [
  ['models', 'model'],
  ['knowledge', 'knowledge'],
  ['tools', 'tool'],
] as const satisfies readonly (readonly [keyof DeploymentTemplate, ComponentKind])[]

/** Returns what the components of a valid template occupy. An ingestion counts as one replica. */
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

/** Adds up amounts. */
export function sumAmounts(all: Iterable<Amounts>): Amounts {
  const amounts = [...all]
  return eachAmount((name) =>
    Math.min(
      amounts.reduce((sum, each) => sum + each[name], 0),
      Number.MAX_SAFE_INTEGER,
    ),
  )
}

/** Returns amounts, each computed from its name. */
function eachAmount(amount: (name: (typeof AMOUNTS)[number]) => number): Amounts {
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
    pods: replicas,
    cpu: replicas * millicores(limits.cpu),
    memory_bytes: replicas * bytes(limits.memory),
    storage_bytes: storage ? replicas * bytes(storage.size) : 0,
    gpus: gpu ? replicas * gpu.count : 0,
  }
}

/** Returns a quantity of CPUs in millicores, rounded as Kubernetes does. */
function millicores(quantity: string): number {
  // The product may be slightly above a whole number.
  return Math.ceil((parseQuantity(quantity) ?? 0) * 1000 - 1e-6)
}

/** Returns a quantity in bytes, rounded as Kubernetes does. */
function bytes(quantity: string): number {
  return Math.ceil(parseQuantity(quantity) ?? 0)
}
