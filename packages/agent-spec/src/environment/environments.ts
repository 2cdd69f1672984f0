import { compareCodePoints, own, sortedEntries } from '../json.ts'
import type { ProviderTable } from '../providers.ts'
import type { AgentSpec, ComponentSection, ContainerSpec } from '../spec-types.ts'
import {
  agentInputs,
  componentInputs,
  ingestionInputs,
  inputsOfComponent,
  inputsOfIngestion,
} from './input-variables.ts'
import { providerUses } from './provider-use.ts'
import {
  addressVariables,
  cloudVariables,
  customVariables,
  integrationVariables,
} from './provider-variables.ts'
import type { DeclaredCredential, Variable } from './variables.ts'

/** Returns every variable of the agent. If several have the same name, the first one counts. */
export function agentVariables(spec: AgentSpec, table: ProviderTable): Variable[] {
  return [
    ...agentInputs(spec),
    ...environmentVariables(spec.agent, 'agent'),
    ...sharedVariables(spec, table),
    ...componentInputs(spec),
  ]
}

/**
 * Returns the variables that every ingestion has: the agent's credentials and addresses, but not
 * the agent's inputs. Sorted by name, because they are merged with those of each ingestion.
 */
export function variablesOfIngestions(spec: AgentSpec, table: ProviderTable): Variable[] {
  const secretInputs = componentInputs(spec).filter(
    (variable) => variable.credential?.secret === true,
  )
  return [...sharedVariables(spec, table), ...secretInputs].sort((a, b) =>
    compareCodePoints(a.name, b.name),
  )
}

/** Returns the variables that only one ingestion has. They take precedence over the others. */
export function ingestionVariables(spec: AgentSpec, entry: string): Variable[] {
  return [
    ...inputsOfIngestion(spec, entry),
    ...environmentVariables(own(spec.ingestion, entry)?.container, `ingestion.${entry}`),
  ]
}

/** Returns every variable of a model, knowledge store or tool, which gets only its own. */
export function componentVariables(
  spec: AgentSpec,
  section: ComponentSection,
  entry: string,
): Variable[] {
  const origin = `${section}.${entry}`
  return [
    ...inputsOfComponent(spec, section, entry),
    ...environmentVariables(own(spec[section], entry)?.container, origin),
  ]
}

/**
 * Returns every credential that a deploy must or may set, by key, in the order of declaration; the
 * credentials of interfaces are last.
 */
export function declaredCredentials(
  spec: AgentSpec,
  table: ProviderTable,
  interfaces: readonly DeclaredCredential[] = [],
): Map<string, DeclaredCredential> {
  const variables = [...agentVariables(spec, table), ...ingestionInputs(spec)]
  const declared = variables.flatMap((variable) => variable.credential ?? [])
  const merged = new Map<string, DeclaredCredential>()
  for (const credential of [...declared, ...interfaces]) {
    const known = merged.get(credential.key)
    merged.set(credential.key, known ? merge(known, credential) : credential)
  }
  return merged
}

// Variables of the spec's own `environment` take precedence over the platform's.
function environmentVariables(
  container: Pick<ContainerSpec, 'environment'> | undefined,
  origin: string,
): Variable[] {
  return sortedEntries(container?.environment ?? {}).map(([name, value]) => ({
    name,
    value,
    origin: `${origin}.environment`,
    meaning: `${origin} environment`,
    written: true,
  }))
}

interface SharedVariables {
  readonly table: ProviderTable
  readonly variables: readonly Variable[]
}

// A template needs them several times.
const remembered = new WeakMap<AgentSpec, SharedVariables>()

function sharedVariables(spec: AgentSpec, table: ProviderTable): readonly Variable[] {
  const known = remembered.get(spec)
  if (known?.table === table) return known.variables
  const uses = providerUses(spec, table)
  const variables = [
    ...cloudVariables(spec, uses),
    ...integrationVariables(spec),
    ...customVariables(spec, uses),
    ...addressVariables(spec, uses),
  ]
  remembered.set(spec, { table, variables })
  return variables
}

function merge(first: DeclaredCredential, second: DeclaredCredential): DeclaredCredential {
  return {
    ...first,
    description: first.description === '' ? second.description : first.description,
    optional: first.optional && second.optional,
    secret: first.secret || second.secret,
    ...(first.sameAs === undefined && second.sameAs !== undefined ? { sameAs: second.sameAs } : {}),
    ...(first.default === undefined && second.default !== undefined
      ? { default: second.default }
      : {}),
  }
}
