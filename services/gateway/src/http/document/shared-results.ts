import { mapMembers, type Json } from './members.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

/**
 * Makes components of the successful responses that several operations have, named after their
 * schema. Adds them to `components`.
 */
export function withSharedResults(paths: Paths, components: Map<string, Json>): Paths {
  const uses = new Map<string, number>()
  for (const { responses } of Object.values(paths).flatMap((each) => Object.values(each))) {
    for (const response of Object.values(responses as Json)) {
      const text = JSON.stringify(response)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  return mapMembers(paths, (_path, operations) =>
    mapMembers(operations, (_method, operation) => ({
      ...operation,
      responses: mapMembers(operation['responses'] as Json, (status, response) => {
        const name = nameOf(status, response as Result)
        const isShared = (uses.get(JSON.stringify(response)) ?? 0) > 1
        if (name === undefined || !isShared) return response
        components.set(name, response as Json)
        return { $ref: `#/components/responses/${name}` }
      }),
    })),
  )
}

interface Result {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
}

function nameOf(status: string, { content }: Result): string | undefined {
  const schema = content?.['application/json']?.schema?.$ref?.split('/').at(-1)
  return schema === undefined ? undefined : `${schema}${status === '200' ? '' : status}`
}
