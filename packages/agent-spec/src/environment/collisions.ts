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
 * name. Such a spec can't be deployed.
 */
export function collisions(spec: AgentSpec, table: ProviderTable, agent: string): FieldProblem[] {
  return [
    ...objectCollisions(spec, agent),
    ...variableCollisions(spec, table, 'never'),
    ...overlongNames(variablesOf(spec, table)),
  ]
}

/** Reports variables that share a credential although the spec file doesn't say so. */
export function sharedCredentials(spec: AgentSpec, table: ProviderTable): FieldProblem[] {
  return variableCollisions(spec, table, 'unsaid')
}

function variablesOf(spec: AgentSpec, table: ProviderTable): Variable[] {
  return [...agentVariables(spec, table), ...ingestionInputs(spec)]
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

const MESSAGES = {
  never: ({ origin }: Variable, name: string) => `collides with ${origin}: both set ${name}`,
  unsaid: ({ origin }: Variable, name: string) =>
    `shares ${name} with ${origin}, so both have the same value; ` +
    'rename one of them if they need two',
}

// A variable may share its name with several others that collide with each other, such as a secret
// input with the credentials of a model and of an integration.
function variableCollisions(
  spec: AgentSpec,
  table: ProviderTable,
  kind: 'never' | 'unsaid',
): FieldProblem[] {
  const known = new Map<string, Variable[]>()
  const problems = new Map<string, FieldProblem>()
  for (const variable of variablesOf(spec, table).filter((each) => !isSeparate(each))) {
    const { name, origin, meaning } = variable
    const others = known.get(name) ?? []
    const found = others.map((other) => ({ other, how: collide(variable, other, others) }))
    const { other, how } =
      found.find((each) => each.how === 'never') ?? found.find((each) => each.how) ?? {}
    if (other !== undefined && how === kind)
      problems.set(`${origin} ${name}`, { field: origin, message: MESSAGES[kind](other, name) })
    if (how !== 'never' && !others.some((same) => same.meaning === meaning))
      known.set(name, [...others, variable])
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
