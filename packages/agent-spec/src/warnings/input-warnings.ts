import { duplicateInputs, type FieldProblem } from '../environment/collisions.ts'
import { isObject, own, sortedEntries, type JsonObject, type JsonValue } from '../json.ts'
import { inputsOf, listOf, objectOf, textOf } from '../read/values.ts'
import { joinField } from '../shape/check-shape.ts'

/** The variables that the platform sets in agents. */
export const RESERVED =
  /^(?:ASTRO_AGENT_(?:NAME|BUILD)|AGENT_(?:URL|HOST)|GRPC_SERVER_ADDR|OTEL_EXPORTER_OTLP_.*)$/

/**
 * Reports problems with inputs that a shape can't express: duplicate names, and defaults and
 * options that don't fit the datatype or each other.
 */
export function inputWarnings(document: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const { field, inputs } of inputGroups(document)) {
    const known = inputs.flatMap(([, input]) => textOf(input, 'name') ?? [])
    for (const name of duplicateInputs(known.map((text) => ({ name: text })))) {
      problems.push({ field, message: `several inputs set ${name.slice(0, 60)}` })
    }
    for (const [path, input] of inputs) problems.push(...ofInput(path, input))
  }
  return problems
}

interface InputGroup {
  readonly field: string
  readonly inputs: [string, JsonObject][]
}

function inputGroups(document: JsonObject): InputGroup[] {
  const sections = ['models', 'knowledge', 'tools', 'ingestion']
  const holders: [string, JsonObject][] = [
    ['agent', objectOf(document, 'agent')],
    ...sections.flatMap((section) =>
      sortedEntries(objectOf(document, section)).flatMap(([name, entry]): [string, JsonObject][] =>
        isObject(entry) ? [[joinField(section, name), entry]] : [],
      ),
    ),
  ]
  const groups = holders.map(([path, holder]) => {
    const field = `${path}.inputs`
    const inputs = inputsOf(holder).map(([key, input]): [string, JsonObject] => [
      typeof key === 'number' ? `${field}[${key}]` : joinField(field, key),
      input,
    ])
    return { field, inputs }
  })
  return [...groups, ...variableGroups(document)]
}

function variableGroups(document: JsonObject): InputGroup[] {
  return sortedEntries(objectOf(document, 'providers')).flatMap(([name, provider]) => {
    if (!isObject(provider)) return []
    const field = `${joinField('providers', name)}.variables`
    const inputs = listOf(provider, 'variables').flatMap(
      (variable, index): [string, JsonObject][] =>
        isObject(variable) ? [[`${field}[${index}]`, variable]] : [],
    )
    return [{ field, inputs }]
  })
}

function ofInput(field: string, input: JsonObject): FieldProblem[] {
  const datatype = textOf(input, 'datatype')
  const options = listOf(input, 'options')
  const fallback = own(input, 'default') ?? null
  const problems: FieldProblem[] = []
  const fits = (value: JsonValue) => datatype === undefined || hasDatatype(value, datatype)
  if (textOf(input, 'display-as') === 'select' && options.length === 0) {
    problems.push({ field: `${field}.options`, message: 'a select needs options' })
  }
  if (options.some((option) => !fits(option))) {
    problems.push({ field: `${field}.options`, message: `must all be of datatype ${datatype}` })
  }
  if (fallback !== null && !fits(fallback)) {
    problems.push({ field: `${field}.default`, message: `must be of datatype ${datatype}` })
  } else if (
    fallback !== null &&
    options.length > 0 &&
    !options.some((option) => isSame(option, fallback))
  ) {
    problems.push({ field: `${field}.default`, message: 'must be one of the options' })
  }
  if (RESERVED.test(textOf(input, 'name') ?? '')) {
    problems.push({ field: `${field}.name`, message: 'this variable is set by the platform' })
  }
  return problems
}

// Files often quote these values, so `"3"` counts as a number.
function hasDatatype(value: JsonValue, datatype: string): boolean {
  switch (datatype) {
    case 'string':
      return typeof value !== 'object'
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false'
    case 'number':
      return (
        typeof value === 'number' ||
        (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
      )
    case 'array':
      return Array.isArray(value) || (typeof value === 'string' && Array.isArray(parsed(value)))
    case 'object':
      return isObject(value) || (typeof value === 'string' && isObject(parsed(value)))
    default:
      return true
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  return typeof a !== 'object' && typeof b !== 'object'
    ? String(a) === String(b)
    : JSON.stringify(a) === JSON.stringify(b)
}
