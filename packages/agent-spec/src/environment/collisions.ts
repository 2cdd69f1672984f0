import { compareCodePoints, own, sortedEntries } from '../json.ts'
import { objectName, type ComponentKind } from '../names/object-name.ts'
import { ENTRY_LIMITS } from '../read/values.ts'
import type { ProviderTable } from '../providers.ts'
import type { AgentSpec } from '../spec-types.ts'
import { agentVariables } from './environments.ts'
import { ingestionInputs } from './input-variables.ts'
import { collide, type Variable } from './variables.ts'

/** A problem and its path in the spec file. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

const KINDS = {
  models: 'model',
  knowledge: 'knowledge',
  tools: 'tool',
  ingestion: 'ingestion',
} as const

/**
 * Reports names that differ in the spec file but result in the same variable or the same object
 * name.
 */
export function collisions(spec: AgentSpec, table: ProviderTable, agent: string): FieldProblem[] {
  const variables = [...agentVariables(spec, table), ...ingestionInputs(spec)]
  return [
    ...objectCollisions(spec, agent),
    ...variableCollisions(variables.filter((variable) => !isSeparate(variable))),
    ...overlongNames(variables),
  ]
}

function objectCollisions(spec: AgentSpec, agent: string): FieldProblem[] {
  return Object.entries(KINDS).flatMap(([section, kind]: [string, ComponentKind]) => {
    const names = Object.keys(spec[section as keyof typeof KINDS]).sort(compareCodePoints)
    const taken = new Map<string, string>()
    return names.flatMap((name) => {
      const object = objectName(agent, kind, name)
      const other = taken.get(object)
      taken.set(object, other ?? name)
      return other === undefined
        ? []
        : [
            {
              field: `${section}.${name}`,
              message: `collides with ${section}.${other}: both become ${object}`,
            },
          ]
    })
  })
}

// A variable may share its name with several others that collide with each other, such as a secret
// input with the credentials of a model and of an integration.
function variableCollisions(variables: readonly Variable[]): FieldProblem[] {
  const known = new Map<string, Variable[]>()
  const problems = new Map<string, FieldProblem>()
  for (const variable of variables) {
    const { name, origin, meaning } = variable
    const others = known.get(name) ?? []
    const other = others.find((candidate) => collide(variable, candidate))
    if (other) {
      const message = `collides with ${other.origin}: both set ${name}`
      problems.set(`${origin} ${name}`, { field: origin, message })
    } else if (!others.some((same) => same.meaning === meaning)) {
      known.set(name, [...others, variable])
    }
  }
  return [...problems.values()]
}

// A plain input of an ingestion exists only in the ingestion's container, so it can't collide with
// the agent's variables.
function isSeparate({ origin, settable }: Variable): boolean {
  return origin.startsWith('ingestion.') && settable === true
}

// Invalid characters are reported for the input itself. Names can also become too long when a
// prefix is added.
function overlongNames(variables: readonly Variable[]): FieldProblem[] {
  return variables.flatMap(({ name, origin }) => {
    if (name.length <= ENTRY_LIMITS.variableLength) return []
    const problem = `would have more than ${ENTRY_LIMITS.variableLength} characters`
    return [{ field: origin, message: `the variable ${name.slice(0, 60)}… ${problem}` }]
  })
}

/** Returns the names that more than one input of a component sets. */
export function duplicateInputs(inputs: readonly { readonly name: string }[]): string[] {
  const counts: Record<string, number> = {}
  for (const { name } of inputs) counts[name] = (own(counts, name) ?? 0) + 1
  return sortedEntries(counts).flatMap(([name, count]) => (count > 1 ? [name] : []))
}
