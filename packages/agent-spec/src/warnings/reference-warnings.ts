import type { FieldProblem } from '../environment/collisions.ts'
import { resolveProvider } from '../environment/provider-use.ts'
import { parseValue, type Reference } from '../environment/references.ts'
import { own, sortedEntries } from '../json.ts'
import type { ProviderTable } from '../providers.ts'
import { joinField } from '../shape/check-shape.ts'
import { COMPONENT_SECTIONS, type AgentSpec, type ContainerSpec } from '../spec-types.ts'

/**
 * Reports references in `environment` values that no deploy can resolve. Ignores references to
 * credentials, because a deploy request may set any credential.
 */
export function referenceWarnings(spec: AgentSpec, table: ProviderTable): FieldProblem[] {
  const sections = [...COMPONENT_SECTIONS, 'ingestion'] as const
  const containers = sections.flatMap((section) =>
    sortedEntries<{ readonly container: ContainerSpec | undefined }>(spec[section]).map(
      ([name, { container }]) => [`${joinField(section, name)}.container`, container] as const,
    ),
  )
  return [['agent', spec.agent] as const, ...containers].flatMap(([field, container]) =>
    sortedEntries(container?.environment ?? {}).flatMap(([variable, value]) =>
      ofValue(spec, table, value).map((message) => ({
        field: joinField(`${field}.environment`, variable),
        message,
      })),
    ),
  )
}

function ofValue(spec: AgentSpec, table: ProviderTable, value: string): string[] {
  return parseValue(value).flatMap((part) => {
    if (part.kind === 'text') return []
    if (part.kind === 'invalid')
      return [`${part.text.slice(0, 100)} is not a reference (write $\${ for a literal \${)`]
    return canResolve(spec, table, part.reference)
      ? []
      : ['refers to a component that does not run in a container']
  })
}

function canResolve(spec: AgentSpec, table: ProviderTable, reference: Reference): boolean {
  if (reference.kind !== 'component') return true
  const entry = own(spec[reference.section], reference.entry)
  if (!entry) return false
  if (entry.provider === undefined)
    return entry.container !== undefined && reference.field !== 'password'
  const provider = resolveProvider(spec, table, reference.section, entry.provider)
  return (
    provider?.kind === 'self-hosted' &&
    (reference.field !== 'password' || provider.password !== undefined)
  )
}
