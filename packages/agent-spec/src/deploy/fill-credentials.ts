import { parseValue } from '../environment/references.ts'
import { sortedEntries, sortedRecord } from '../json.ts'
import type { DeploymentTemplate, TemplateCredential } from '../template/template-types.ts'

interface WithEnvironment {
  environment?: Record<string, string>
  inputs?: string[]
}

/** Returns every part of a template that can have an environment, with its path. */
export function partsWithEnvironment(
  template: DeploymentTemplate,
): { path: string; part: WithEnvironment }[] {
  const sections = ['models', 'knowledge', 'tools', 'ingestion'] as const
  return [
    { path: 'agent', part: template.agent },
    ...sections.flatMap((section) =>
      sortedEntries<WithEnvironment>(template[section]).map(([name, part]) => ({
        path: `${section}.${name}`,
        part,
      })),
    ),
  ]
}

/** Returns the inputs that have a default. A request may set them like credentials. */
export function declaredSettable(template: DeploymentTemplate): Set<string> {
  return new Set(partsWithEnvironment(template).flatMap(({ part }) => part.inputs ?? []))
}

/**
 * Replaces the values of variables that a request sets with references to its credentials: inputs
 * with a default in every part, and `extra` keys, which the spec doesn't declare, in the agent.
 */
export function replaceSettable(
  template: DeploymentTemplate,
  present: ReadonlySet<string>,
  extra: readonly string[],
): void {
  const added = new Map<string, TemplateCredential>()
  for (const key of extra) added.set(key, { value: '', description: '', optional: true })
  for (const { path, part } of partsWithEnvironment(template)) {
    const settable = (part.inputs ?? []).filter((name) => present.has(name))
    const replaced = path === 'agent' ? [...settable, ...extra] : settable
    if (replaced.length === 0) continue
    const references = replaced.map((name) => [name, `\${credentials.${name}}`] as const)
    part.environment = sortedRecord(
      new Map([...Object.entries(part.environment ?? {}), ...references]),
    )
    for (const key of settable)
      added.set(key, { value: '', description: '', optional: true, secret: false })
  }
  template.credentials = sortedRecord(new Map([...added, ...Object.entries(template.credentials)]))
}

/**
 * Drops plain values that nothing refers to after the overrides were applied. Keeps all
 * credentials.
 */
export function dropUnusedValues(template: DeploymentTemplate): void {
  const used = usedCredentials(template)
  const known = Object.entries(template.credentials)
  template.credentials = Object.fromEntries(
    known.filter(([key, { secret }]) => secret !== false || used.has(key)),
  )
}

/** Returns the keys of the credentials that any environment refers to. */
function usedCredentials(template: DeploymentTemplate): Set<string> {
  const keys = partsWithEnvironment(template).flatMap(({ part }) =>
    Object.values(part.environment ?? {}).flatMap((value) =>
      parseValue(value).flatMap((piece) =>
        piece.kind === 'reference' && piece.reference.kind === 'credential'
          ? [piece.reference.key]
          : [],
      ),
    ),
  )
  return new Set(keys)
}
