import type { ApiDocument } from './api-changes.ts'
import type { Services } from './services.ts'

/** Members that only people read. */
const PROSE = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'externalDocs',
])

/** The statuses of problems, which all have the form of 400. */
const OTHER_PROBLEMS = /^(?!400)[45]\d\d$/

/** Reads the API document, without what only people read. */
export async function readApiDocument(services: Services): Promise<ApiDocument> {
  const { body } = await services.send(undefined, 'GET', '/openapi.json')
  const { paths, components } = body as ApiDocument
  return withoutProse({ paths, components }) as ApiDocument
}

/** `areNames`: whether the members of `value` are named by the API, as those of `properties`. */
function withoutProse(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([name]) => areNames || !(PROSE.has(name) || OTHER_PROBLEMS.test(name)),
  )
  return Object.fromEntries(
    kept.map(([name, member]) => {
      // Only the names of headers are compared.
      if (name === 'headers' && !areNames) return [name, namesOf(member as object)]
      return [name, withoutProse(member, name === 'properties' && !areNames)]
    }),
  )
}

function namesOf(members: object): object {
  return Object.fromEntries(Object.keys(members).map((name) => [name, {}]))
}
