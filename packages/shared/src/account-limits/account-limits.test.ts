import { expect, test } from 'vitest'

import { builtInLimits, parseAccountLimits } from './parse-file.ts'

const ACCOUNT = '6f1f6f0e-3f0c-4f53-9f1c-0d6a1c1c2a3b'

test('an empty file leaves the defaults', () => {
  expect(parseAccountLimits('# nothing yet\n')).toEqual(builtInLimits)
})

test('an exception changes only the limits that it names', () => {
  const { defaults, exceptions } = parseAccountLimits(`
defaults:
  cpu: 0.5
  memory_bytes: 10Gi
accounts:
  ${ACCOUNT}:
    cpu: 1500m
    agents: 5
`)
  expect(defaults).toEqual({ ...builtInLimits.defaults, cpu: 500, memory_bytes: 10 * 1024 ** 3 })
  expect(exceptions.get(ACCOUNT)).toEqual({ ...defaults, cpu: 1500, agents: 5 })
})

test.each([
  ['defaults: []', 'defaults: must be a mapping'],
  ['- 1', 'the file: must be a mapping'],
  ['limits: {}', 'the file: has the unknown key limits; it can have defaults, accounts'],
  ['defaults: {agent: 1}', 'defaults.agent: unknown limit; must be one of agents, builds,'],
  ['defaults: {agents: 1.5}', 'defaults.agents: must be a whole number'],
  ['defaults: {agents: -1}', 'defaults.agents: must be a whole number'],
  ['defaults: {agents: 1e30}', 'defaults.agents: must be a whole number'],
  ['defaults: {memory_bytes: 1 GB}', 'defaults.memory_bytes: must be a number of bytes like'],
  ['defaults: {cpu: many}', 'defaults.cpu: must be a number of CPUs like 0.5, 500m or 16'],
  ['defaults: {trace_days: 0}', 'defaults.trace_days: must be a whole number of days, at least 1'],
  ['accounts: {acme: {}}', 'accounts.acme: must be the id of an account'],
  [`accounts: {${ACCOUNT}: 5}`, `accounts.${ACCOUNT}: must be a mapping`],
])('%s is refused with a reason', (text, problem) => {
  expect(() => parseAccountLimits(text)).toThrow(problem)
})

test('what is valid of a file counts, and all that is not is reported', () => {
  const problems: string[] = []
  const table = parseAccountLimits(
    `
default: {}
defaults: {agent: 1, agents: 7, builds: many, cpu: 64}
accounts:
  acme: {}
  ${ACCOUNT}: {agents: -1, builds: 9}
`,
    (problem) => problems.push(problem),
  )
  const { defaults } = builtInLimits
  expect(table.defaults).toEqual({ ...defaults, agents: 7, cpu: 64_000 })
  expect([...table.exceptions]).toEqual([[ACCOUNT, { ...table.defaults, builds: 9 }]])
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'the file',
    'defaults.agent',
    'defaults.builds',
    'accounts.acme',
    `accounts.${ACCOUNT}.agents`,
  ])
})
