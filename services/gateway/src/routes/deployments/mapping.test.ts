import { expect, test } from 'vitest'

import { toDeployTarget } from './mapping.ts'

test.each([
  ['{"agent.environment.X": 1e400}', { 'agent.environment.X': Infinity }],
  [
    '{"agent.replicas": -1e400, "agent.update": {"max_surge": 2}}',
    { 'agent.replicas': -Infinity, 'agent.update': { max_surge: 2 } },
  ],
  ['{"agent.environment.X": null}', { 'agent.environment.X': null }],
])('passes the overrides %s on unchanged', (text, overrides) => {
  const body = {
    account: 'acme',
    name: 'example',
    overrides: JSON.parse(text) as Record<string, unknown>,
  }
  expect(JSON.parse(toDeployTarget(body, { strict: false }).overridesJson ?? '')).toEqual(overrides)
})
