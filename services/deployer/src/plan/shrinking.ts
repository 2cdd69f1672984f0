import { parseQuantity, type DeploymentTemplate } from '@slipway/agent-spec'

const SECTIONS = ['models', 'knowledge', 'tools'] as const

/** Reports volumes that would shrink, which Kubernetes doesn't support, as `path: problem`. */
export function shrinkingProblems(
  template: DeploymentTemplate,
  live: DeploymentTemplate,
): string[] {
  return SECTIONS.flatMap((section) =>
    Object.entries(template[section]).flatMap(([name, { storage }]) => {
      const before = Object.hasOwn(live[section], name) ? live[section][name]?.storage : undefined
      if (storage === undefined || before === undefined) return []
      const [size, former] = [parseQuantity(storage.size), parseQuantity(before.size)]
      if (size === undefined || former === undefined || size >= former) return []
      const path = `${section}.${name}.storage.size`
      return `${path}: must be at least ${before.size}, the size of the existing volume`
    }),
  )
}
