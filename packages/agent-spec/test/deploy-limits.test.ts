import { describe, expect, test } from 'vitest'

import {
  buildTemplate,
  DEPLOY_LIMITS,
  type JsonObject,
  type JsonValue,
  type PreviousValues,
} from '../src/index.ts'
import { findOverrideTarget } from '../src/deploy/override-paths.ts'
import { prepare, resolve, settings, source, specOf } from './support/fixtures.ts'

const spec = specOf('tools: { t: { container: { image: t:1 } } }')

const previous = (change: Partial<PreviousValues>): PreviousValues => ({
  credentialKeys: [],
  extraCredentialKeys: [],
  interfaces: [],
  schedules: {},
  overrides: {},
  ...change,
})

function several<Value>(count: number, name: string, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]))
}

const variables = (count: number, name = 'V', value: JsonValue = 'x') =>
  several(count, `agent.environment.${name}`, value)

describe('the paths of overrides', () => {
  test('are found without visiting all entries of a section', () => {
    const template = structuredClone(buildTemplate({ spec, source, settings }))
    const tools = new Proxy(template.tools, {
      ownKeys: () => {
        throw new Error('all entries were visited')
      },
    })
    const root = { ...template, tools } as unknown as JsonObject
    expect(findOverrideTarget(root, 'tools.t.replicas')?.keys).toEqual(['tools', 't', 'replicas'])
    expect(findOverrideTarget(root, 'tools.none.replicas')).toBeUndefined()
  })

  test('refer to the entry with the shortest name that fits', () => {
    const container = '{ container: { image: t:1 } }'
    const names = ['a', 'a.replicas', 'a.environment', 'a.environment.b']
    const tools = names.map((name) => `  ${name}: ${container}`).join('\n')
    const template = buildTemplate({ spec: specOf(`tools:\n${tools}`), source, settings })
    const keysOf = (path: string) =>
      findOverrideTarget(template as unknown as JsonObject, path)?.keys.slice(1)
    expect(keysOf('tools.a.replicas')).toEqual(['a', 'replicas'])
    expect(keysOf('tools.a.replicas.replicas')).toEqual(['a.replicas', 'replicas'])
    expect(keysOf('tools.a.environment.replicas')).toEqual(['a.environment', 'replicas'])
    expect(keysOf('tools.a.environment.b')).toEqual(['a', 'environment', 'b'])
    expect(keysOf('tools.a.environment.b.replicas')).toEqual(['a.environment.b', 'replicas'])
  })

  test('that are too long are not editable', () => {
    const path = `agent.resources${'.x'.repeat(DEPLOY_LIMITS.pathLength)}`
    expect(prepare(spec, { overrides: { [path]: 1 } }).problems).toEqual([
      `overrides.${path}: not an editable path of this agent`,
    ])
  })
})

describe('problems', () => {
  const unknown = (count: number) => prepare(spec, { overrides: several(count, 'p', 1) }).problems

  test.each([99, 100, 101])('are all reported if there are %i', (count) => {
    expect(unknown(count)).toHaveLength(count)
  })

  test('end one after the limit, sorted, if there are more', () => {
    const problems = unknown(900)
    expect(problems).toHaveLength(DEPLOY_LIMITS.problems + 1)
    expect(problems).toEqual(problems.toSorted())
  })

  test('of one value end there too', () => {
    const overrides = { 'agent.environment.A': '${a}'.repeat(1_000) + '${b.c.d}'.repeat(10) }
    expect(prepare(spec, { overrides }).problems).toHaveLength(2)
    const distinct = Array.from({ length: 1_000 }, (_, index) => `\${a${index}}`).join('')
    expect(prepare(spec, { overrides: { 'agent.environment.A': distinct } }).problems).toHaveLength(
      DEPLOY_LIMITS.problems + 1,
    )
  })
})

describe('limits that include kept values', () => {
  const { overrides: most, credentials: mostKeys } = DEPLOY_LIMITS
  const problemsOf = (
    overrides: Record<string, JsonValue>,
    kept: Record<string, JsonValue>,
  ): string[] => prepare(spec, { overrides, previous: previous({ overrides: kept }) }).problems

  test('accept as many overrides as are allowed', () => {
    expect(problemsOf(variables(most - 5), variables(5, 'OLD'))).toEqual([])
  })

  test('reject more overrides, with the remedy', () => {
    expect(problemsOf(variables(most), variables(1, 'OLD'))).toEqual([
      `overrides: would be ${most + 1} with those that are kept; the limit is ${most}: ` +
        'remove some with null',
    ])
  })

  test('let a deployment with more overrides change and remove some, but not add any', () => {
    const kept = variables(most + 500)
    expect(problemsOf({}, kept)).toEqual([])
    expect(problemsOf({ 'agent.environment.V0': 'y' }, kept)).toEqual([])
    expect(problemsOf({ 'agent.environment.V0': null }, kept)).toEqual([])
    expect(problemsOf({ 'agent.environment.NEW': 'y' }, kept)).toHaveLength(1)
  })

  test('reject overrides that are too large together', () => {
    const large = 'x'.repeat(DEPLOY_LIMITS.variableBytes)
    const kept = variables(7, 'OLD', large)
    expect(problemsOf({ 'agent.environment.NEW': 'small' }, kept)).toEqual([])
    expect(problemsOf({ 'agent.environment.NEW': large }, kept)).toEqual([
      expect.stringMatching(
        /^overrides: would have \d+ bytes with those that are kept; the limit is 1048576: remove/,
      ),
    ])
  })

  test('reject more credentials, with the remedy', () => {
    const keys = Object.keys(several(mostKeys, 'OLD_', ''))
    const kept = previous({ credentialKeys: keys, extraCredentialKeys: keys })
    const given = (userCredentials: Record<string, string>) =>
      prepare(spec, { userCredentials, previous: kept }).problems
    expect(given({ OLD_1: 'new' })).toEqual([])
    expect(given({ OLD_1: '', NEW: 'x' })).toEqual([])
    expect(given({ NEW: 'x' })).toEqual([
      `user_credentials: would be ${mostKeys + 1} with those that are kept; the limit is ` +
        `${mostKeys}: remove some with an empty value`,
    ])
  })
})

test('a variable can have at most as many bytes as Linux accepts', () => {
  const of = (value: string) => prepare(spec, { overrides: { 'agent.environment.A': value } })
  expect(of('é'.repeat(DEPLOY_LIMITS.variableBytes / 2)).problems).toEqual([])
  expect(of('é'.repeat(DEPLOY_LIMITS.variableBytes / 2 + 1)).problems).toEqual([
    'overrides.agent.environment.A: must have at most 131072 bytes',
  ])
})

test('references to a long credential end before they fill the memory', () => {
  const userCredentials = { LONG: 'x'.repeat(300_000) }
  const deploy = (times: number) => {
    const overrides = { 'agent.environment.A': '${credentials.LONG}'.repeat(times) }
    return prepare(spec, { userCredentials, overrides })
  }
  expect(deploy(5).problems).toEqual([])
  const [agent] = Object.values(resolve(deploy(5).filled))
  expect(agent?.environment.secret['A']).toHaveLength(1_500_000)
  expect(() => resolve(deploy(5_000).filled)).toThrow(
    'the variables of all components, with their references resolved, must have at most 2097152',
  )
})
