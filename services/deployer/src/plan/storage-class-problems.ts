import type { DeploymentTemplate } from '@slipway/agent-spec'

const SECTIONS = ['models', 'knowledge', 'tools'] as const

/**
 * Reports volumes of storage classes that the operator doesn't allow, as `path: problem`. A volume
 * keeps the class that it has.
 */
export function storageClassProblems(
  template: DeploymentTemplate,
  { storageClasses }: { readonly storageClasses: ReadonlySet<string> },
  live: DeploymentTemplate | undefined,
): string[] {
  if (storageClasses.has('*')) return []
  return SECTIONS.flatMap((section) =>
    Object.entries(template[section]).flatMap(([name, { storage }]) => {
      const wanted = storage?.class
      const before =
        live && Object.hasOwn(live[section], name) ? live[section][name]?.storage : undefined
      if (wanted === undefined || wanted === before?.class || storageClasses.has(wanted)) return []
      const allowed =
        storageClasses.size === 0
          ? 'leave it out for the default class'
          : `use one of ${[...storageClasses].join(', ')}`
      return (
        `${section}.${name}.storage.class: is not allowed; ${allowed}, ` +
        'or ask the operator to add it to STORAGE_CLASSES'
      )
    }),
  )
}
