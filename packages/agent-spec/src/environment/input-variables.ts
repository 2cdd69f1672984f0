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

/** Where an input stands, for the list of credentials. */
export interface InputPlace {
  readonly origin: string
  readonly provider: string
  readonly category: string
}

/**
 * The variable of an input. A plain one with a default has it as its value; all others are given in
 * `user_credentials`. Inputs of one name are one variable: whoever deploys sets it once.
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

/** The inputs of the agent itself. */
export function agentInputs(spec: AgentSpec): Variable[] {
  return readInputs(spec.agent.inputs, { origin: 'agent', provider: 'agent', category: 'agent' })
}

/** The inputs of every model, knowledge store and tool. */
export function componentInputs(spec: AgentSpec): Variable[] {
  return COMPONENT_SECTIONS.flatMap((section) =>
    sortedEntries(spec[section]).flatMap(([entry]) => inputsOfComponent(spec, section, entry)),
  )
}

/** The inputs of a single one of them. */
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

/** The inputs of every ingestion. */
export function ingestionInputs(spec: AgentSpec): Variable[] {
  return sortedEntries(spec.ingestion).flatMap(([entry]) => inputsOfIngestion(spec, entry))
}

/** The inputs of a single one. */
export function inputsOfIngestion(spec: AgentSpec, entry: string): Variable[] {
  const place = { origin: `ingestion.${entry}`, provider: entry, category: 'ingestion' }
  return readInputs(own(spec.ingestion, entry)?.inputs ?? [], place)
}

function readInputs(inputs: readonly Input[], place: InputPlace): Variable[] {
  return inputs.map((input) => inputVariable(input, place))
}
