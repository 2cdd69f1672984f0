import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import { mapMembers, mapOperations, type Json, type Paths } from './members.ts'

/** A parameter or response, and its name as a component, which is empty if it can't be one. */
type Part = readonly [name: string, part: Json]

interface SharedParts {
  readonly paths: Paths
  readonly parameters: ReadonlyMap<string, Json>
  readonly responses: ReadonlyMap<string, Json>
}

/** Makes components of the parameters and responses that several operations have. */
export function withSharedParts(paths: Paths): SharedParts {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = shared(operations.flatMap(parametersOf))
  const responses = shared(operations.flatMap(responsesOf))
  return {
    paths: mapOperations(paths, (operation) => ({
      ...operation,
      ...('parameters' in operation
        ? { parameters: parametersOf(operation).map(referTo('parameters', parameters)) }
        : {}),
      responses: mapMembers(operation['responses'] as Json, (status, response) =>
        referTo('responses', responses)(responsePart(status, response as Json)),
      ),
    })),
    parameters,
    responses,
  }
}

/** The part with the most uses is the component if different parts have the same name. */
function shared(parts: readonly Part[]): ReadonlyMap<string, Json> {
  const uses = [...Map.groupBy(parts, (part) => JSON.stringify(part)).values()]
  const byUses = uses.filter(({ length }) => length > 1).sort((a, b) => a.length - b.length)
  return new Map(byUses.flatMap(([part]) => (part === undefined || part[0] === '' ? [] : [part])))
}

function referTo(kind: string, components: ReadonlyMap<string, Json>) {
  return ([name, part]: Part): Json =>
    isDeepStrictEqual(components.get(name), part) ? { $ref: `#/components/${kind}/${name}` } : part
}

function parametersOf(operation: Json): Part[] {
  const parameters = (operation['parameters'] ?? []) as readonly Json[]
  return parameters.map((each) => [`${String(each['name'])}.${String(each['in'])}`, each])
}

function responsesOf(operation: Json): Part[] {
  const responses = Object.entries(operation['responses'] as Json)
  return responses.map(([status, each]) => responsePart(status, each as Json))
}

interface Result {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
}

/** A result is named after its schema, and any other response after its status. */
function responsePart(status: string, response: Json): Part {
  if (Number(status) >= 300)
    return [(STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, ''), response]
  const { content } = response as Result
  const schema = content?.['application/json']?.schema?.$ref?.split('/').at(-1)
  return [schema === undefined ? '' : `${schema}${status === '200' ? '' : status}`, response]
}
