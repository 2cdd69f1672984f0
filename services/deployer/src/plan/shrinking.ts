import { parseQuantity, type DeploymentTemplate } from '@slipway/agent-spec'

const SECTIONS = ['models', 'knowledge', 'tools'] as const

/** The volumes that would have to become smaller, which none can, as `path: problem`. */
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
      return `${section}.${name}.storage.size: must not be below the ${before.size} that the volume has`
    }),
  )
}
