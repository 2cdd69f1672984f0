import { DEPLOY_LIMITS } from '@slipway/agent-spec'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { InvalidInput } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { readTarget } from './deploy-target.ts'

const { overrides, overrideValues, overrideBytes, credentials, interfaces, schedules } =
  DEPLOY_LIMITS

/** Returns the problems with a target as `field description`. */
function problemsOf(target: MessageInitShape<typeof DeployTargetSchema>): string[] {
  try {
    readTarget(create(DeployTargetSchema, { account: 'acme', name: 'bot', ...target }))
    return []
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return error.violations.map(({ field, description }) => `${field} ${description}`)
  }
}

function several<Value>(count: number, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`K${index}`, value]))
}

const names = (count: number) => Object.keys(several(count, ''))
const json = (value: unknown) => JSON.stringify(value)
/** A value with `count` values in all. */
const listOf = (count: number) => json({ a: Array.from({ length: count - 1 }, () => 1) })
const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

test.each<[string, MessageInitShape<typeof DeployTargetSchema>]>([
  ['credentials', { userCredentials: several(credentials, 'x') }],
  ['interfaces', { interfaces: { names: names(interfaces) } }],
  ['schedules', { schedules: { schedules: several(schedules, '* * * * *') } }],
  ['overrides', { overridesJson: json(several(overrides, 1)) }],
  ['values of overrides', { overridesJson: listOf(overrideValues) }],
  ['bytes of overrides', { overridesJson: json({}).padEnd(overrideBytes) }],
])('accepts as many %s as are allowed', (_, target) => {
  expect(problemsOf(target)).toEqual([])
})

const tooManyValues = 'overrides must have at most 5000 values, including those inside mappings'

test.each<[string, MessageInitShape<typeof DeployTargetSchema>, string]>([
  [
    'credentials',
    { userCredentials: several(credentials + 1, 'x') },
    'user_credentials must have at most 1000 entries, not 1001',
  ],
  [
    'interfaces',
    { interfaces: { names: names(1_600) } },
    'interfaces must have at most 100 entries, not 1600',
  ],
  [
    'schedules',
    { schedules: { schedules: several(schedules + 1, '* * * * *') } },
    'schedules must have at most 100 entries, not 101',
  ],
  [
    'overrides',
    { overridesJson: json(several(60_000, 1)) },
    'overrides must have at most 1000 entries, not 60000',
  ],
  [
    'values of overrides',
    { overridesJson: listOf(overrideValues + 1) },
    `${tooManyValues} and lists`,
  ],
  ['nested values', { overridesJson: deep(500_000) }, `${tooManyValues} and lists`],
  [
    'bytes of overrides',
    { overridesJson: json({}).padEnd(overrideBytes + 1) },
    'overrides must have at most 1048576 bytes',
  ],
])('rejects too many %s, with the limit', (_, target, problem) => {
  expect(problemsOf(target)).toEqual([problem])
})

test.each(['[]', '1', 'null', '{', '"x"'])(
  'rejects overrides that are not an object: %s',
  (text) => {
    expect(problemsOf({ overridesJson: text })).toEqual(['overrides must be a JSON object'])
  },
)

test('reports the problems of all fields', () => {
  const target = { account: '', interfaces: { names: names(200) }, overridesJson: '[]' }
  expect(problemsOf(target)).toEqual([
    'account is required',
    'interfaces must have at most 100 entries, not 200',
    'overrides must be a JSON object',
  ])
})
