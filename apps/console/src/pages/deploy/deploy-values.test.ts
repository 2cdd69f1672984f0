import { expect, test } from 'vitest'

import { deployBody, keptValue, NO_VALUES } from './deploy-values.ts'

const TARGET = { account: 'alice', source: 'alice', name: 'helper' }

test('sends only what the user has changed', () => {
  expect(deployBody(TARGET, NO_VALUES)).toEqual({ account: 'alice', name: 'helper' })
  expect(deployBody({ ...TARGET, source: 'bob', version: '1.0.0' }, NO_VALUES)).toEqual({
    account: 'alice',
    name: 'helper',
    source_account: 'bob',
    version: '1.0.0',
  })
})

test('makes overrides of fields, of other paths, and of those that end', () => {
  const body = deployBody(TARGET, {
    ...NO_VALUES,
    credentials: { TOKEN: 'secret', EMPTY: '' },
    settings: {
      'agent.replicas': '3',
      'agent.resources.limits.cpu': '2',
      'agent.resources.limits.memory': '',
      'agent.expose.enabled': true,
    },
    others: [
      { path: 'agent.environment.LEVEL', value: 'debug' },
      { path: ' agent.healthcheck ', value: '{"path": "/up"}' },
      { path: '', value: 'ignored' },
    ],
    ended: ['agent.update'],
  })
  expect(body).toEqual({
    account: 'alice',
    name: 'helper',
    user_credentials: { TOKEN: 'secret' },
    overrides: {
      'agent.replicas': 3,
      'agent.resources.limits.cpu': '2',
      'agent.resources.limits.memory': null,
      'agent.expose.enabled': true,
      'agent.environment.LEVEL': 'debug',
      'agent.healthcheck': { path: '/up' },
      'agent.update': null,
    },
  })
})

test('shows the override that the live deployment has, also as part of a mapping', () => {
  const cpu = { path: 'agent.resources.limits.cpu', label: 'CPU limit', value: '1' }
  expect(keptValue(cpu, {})).toBe('1')
  expect(keptValue(cpu, { 'agent.resources.limits.cpu': '3' })).toBe('3')
  expect(keptValue(cpu, { 'agent.resources': { limits: { cpu: '4' } } })).toBe('4')
  expect(keptValue(cpu, { 'agent.resources.limits': { memory: '1Gi' } })).toBe('1')
})
