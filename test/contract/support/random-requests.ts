import fc from 'fast-check'

import type { Operation, Schema } from './api-document.ts'
import type { World } from './catalog-fixture.ts'

/** A random request to a route. */
export interface RandomRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly caller: 'alice' | 'mallory' | undefined
}

/** Strings that have broken other systems. */
const NASTY = [
  '',
  ' ',
  '.',
  '..',
  '../..',
  '%2e%2e',
  '%zz',
  '\0',
  '\u202e',
  'ÅÄÖ',
  '😀',
  "' or 1=1 --",
  '${jndi:ldap://x}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '2026-13-45T99:99:99Z',
  'a'.repeat(300),
  '\ud800',
  'true',
  '[]',
  '{}',
  '"',
  '\\',
  '\r\nx: y',
  'latest',
  '*',
  '-',
  'x/y',
  '<script>',
]

const text = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
    fc.string({ maxLength: 40, unit: 'binary' }),
  )

/** Mostly values that a schema allows, mixed with others. */
function valueOf(schema: Schema, name: string, known: KnownTexts): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.constantFrom(null, 5, -1, true, 1e308, [], {}, '', [['a']]),
    text(NASTY),
    fc.jsonValue({ maxDepth: 4 }),
  )
  return fc.oneof(
    { weight: 4, arbitrary: rightValueOf(schema, name, known) },
    { weight: 1, arbitrary: wrong },
  )
}

function rightValueOf(schema: Schema, name: string, known: KnownTexts): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => rightValueOf(each, name, known)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.oneof(fc.integer({ min: -10, max: 6000 }), fc.double())
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array')
    return fc.array(schema.items ? valueOf(schema.items, name, known) : fc.jsonValue(), {
      maxLength: 4,
    })
  if (schema.type === 'object') return objectOf(schema, known)
  if (name === 'spec_content')
    return fc.oneof(
      fc.constant('spec: astro/v1\nname: x\n'),
      text(['a: &a [*a]', '- a', '!!js/function x', 'a: 1\na: 2', '? [a]: b', '%YAML 9.9\n---\na']),
    )
  return text(known(name))
}

function objectOf(schema: Schema, known: KnownTexts): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, valueOf(member, name, known)] as const,
  )
  if (members.length === 0)
    return fc.dictionary(text(['agent.replicas', 'KEY']), fc.oneof(text(['1']), fc.jsonValue()), {
      maxKeys: 4,
    })
  return fc.record(Object.fromEntries([...members, ['visibility', fc.jsonValue()]]), {
    requiredKeys: [],
  })
}

/** Values of a parameter that exist in the world, so that some requests succeed. */
type KnownTexts = (name: string) => readonly string[]

function knownTexts({ account, published, hidden, ids }: World, route: string): KnownTexts {
  const known: Readonly<Record<string, readonly string[]>> = {
    // No other test uses Bob's own account, so it may be renamed.
    account: [account, account, 'bob', 'no-such'],
    source_account: [account, ''],
    // A successful deploy would really deploy something.
    name: route.startsWith('POST /deploy') ? ['never-deployed'] : [hidden, published, 'no-such'],
    user_id: Object.values(ids),
    version: ['1.0.0', '2.0.0', 'v1'],
    build_id: ['b1', 'b2', 'other'],
    build: ['b1', 'b2'],
    registry: ['oci://r.example/x', 'http://[::1]:70000/'],
    namespace: ['kube-system', 'default', 'nothing'],
  }
  return (name) => known[name] ?? ['x', 'web', 'json', 'ok', '2026-01-01T00:00:00Z']
}

const headerSets = fc.record(
  {
    'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('', 'with blank', 'x'.repeat(256))),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"', ','),
    'accept-encoding': fc.constantFrom('br', 'gzip;q=0', '*', ';;;,', 'identity;q=x'),
    'x-request-id': fc.constantFrom('id', 'no good', 'x'.repeat(500)),
    traceparent: fc.constantFrom(
      '00-00000000000000000000000000000000-0000000000000000-00',
      'nonsense',
    ),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'multipart/form-data',
      '',
    ),
  },
  { requiredKeys: [] },
)

/** Random requests to a route of the API document, in a world. */
export function requestsTo(
  route: string,
  operation: Operation,
  world: World,
): fc.Arbitrary<RandomRequest> {
  const known = knownTexts(world, route)
  const template = route.slice(route.indexOf(' ') + 1)
  const parameters = operation.parameters ?? []
  const inPath = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map(({ name }) => [name, text(known(name))]),
  )
  const inQuery = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema }) => [name, valueOf(schema, name, known)] as const)
  const query = fc.record(Object.fromEntries([...inQuery, ['unknown', text(['x'])]]), {
    requiredKeys: [],
  })
  const bodySchema = operation.requestBody?.content?.['application/json']?.schema
  const body =
    bodySchema === undefined
      ? fc.constantFrom(undefined, undefined, '', '{}')
      : fc.oneof(
          {
            weight: 6,
            arbitrary: valueOf(bodySchema, '', known).map((value) => JSON.stringify(value)),
          },
          fc.constantFrom('', '{', '{"a":1,"a":2}', '[['.repeat(40), '"\\ud800"'),
        )
  const caller = fc.constantFrom('alice' as const, 'alice' as const, 'mallory' as const, undefined)
  return fc
    .record({ params: fc.record(inPath), query, body, headers: headerSets, caller })
    .map(({ params, query: asked, ...rest }) => {
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        escaped(params[name] ?? ''),
      )
      const pairs = Object.entries(asked).flatMap(([name, value]) =>
        [value]
          .flat()
          .map(
            (each) => `${name}=${escaped(typeof each === 'string' ? each : JSON.stringify(each))}`,
          ),
      )
      return { ...rest, path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}` }
    })
}

function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}
