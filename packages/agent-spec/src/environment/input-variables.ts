import { own, sortedEntries } from '../json.ts'
import { environmentText } from '../read/values.ts'
import {
  COMPONENT_SECTIONS,
  type AgentSpec,
  type ComponentSection,
  type Input,
} from '../spec-types.ts'
import { escapeValue } from './references.ts'
import { credentialVariable, type Variable } from './variables.ts'

/** The place where an input is declared, as shown in the list of credentials. */
export interface InputPlace {
  readonly origin: string
  readonly provider: string
  readonly category: string
}

/**
 * Returns the variable of an input. The value of a plain input with a default is that default; all
 * other inputs are set in `user_credentials`. Inputs with the same name share one variable.
 */
export function inputVariable(input: Input, place: InputPlace): Variable {
  const fallback = input.default === undefined ? undefined : environmentText(input.default)
  const { origin } = place
  const meaning = `${input.secret ? 'secret' : 'plain'} input ${input.name}`
  if (!input.secret && fallback !== undefined) {
    return { name: input.name, value: escapeValue(fallback), origin, meaning, settable: true }
  }
  return credentialVariable(
    {
      key: input.name,
      provider: place.provider,
      category: place.category,
      description: input.description,
      optional: input.optional || fallback !== undefined,
      secret: input.secret,
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    { origin, meaning, shared: input.secret },
  )
}

/** Returns the inputs of the agent itself. */
export function agentInputs(spec: AgentSpec): Variable[] {
  return readInputs(spec.agent.inputs, { origin: 'agent', provider: 'agent', category: 'agent' })
}

/** Returns the inputs of every model, knowledge store and tool. */
export function componentInputs(spec: AgentSpec): Variable[] {
  return COMPONENT_SECTIONS.flatMap((section) =>
    sortedEntries(spec[section]).flatMap(([entry]) => inputsOfComponent(spec, section, entry)),
  )
}

/** Returns the inputs of one model, knowledge store or tool. */
export function inputsOfComponent(
  spec: AgentSpec,
  section: ComponentSection,
  entry: string,
): Variable[] {
  const component = own(spec[section], entry)
  return readInputs(component?.inputs ?? [], {
    origin: `${section}.${entry}`,
    provider: component?.provider ?? entry,
    category: { models: 'model', knowledge: 'knowledge', tools: 'tool' }[section],
  })
}

/** Returns the inputs of every ingestion. */
export function ingestionInputs(spec: AgentSpec): Variable[] {
  return sortedEntries(spec.ingestion).flatMap(([entry]) => inputsOfIngestion(spec, entry))
}

/** Returns the inputs of one ingestion. */
export function inputsOfIngestion(spec: AgentSpec, entry: string): Variable[] {
  const place = { origin: `ingestion.${entry}`, provider: entry, category: 'ingestion' }
  return readInputs(own(spec.ingestion, entry)?.inputs ?? [], place)
}

function readInputs(inputs: readonly Input[], place: InputPlace): Variable[] {
  return inputs.map((input) => inputVariable(input, place))
}
