import { expect, test } from 'vitest'

import { servedEndpoints } from './served-endpoints.ts'

const ENDPOINTS = [
  { component: 'agent', name: 'agent-http', url: 'http://a', type: 'http' },
  { component: 'agent', name: 'agent-web', url: 'https://a', type: 'web' },
  { component: 'ingestion-hook', name: 'ingestion-hook', url: 'https://h', type: 'webhook' },
] as const

const failed = (kind: string, component: string, status: 'failed' | 'updated' = 'failed') => ({
  rendered: { component, object: { apiVersion: 'v1', kind, metadata: { name: 'x' } } },
  result: { kind, name: 'x', namespace: 'n', status, message: '' },
})

test.each([
  ['nothing', [], ['agent-http', 'agent-web', 'ingestion-hook']],
  [
    'an object that no endpoint needs',
    [failed('Deployment', 'agent'), failed('Service', 'agent', 'updated')],
    undefined,
  ],
  ['an Ingress', [failed('Ingress', 'agent')], ['agent-http', 'ingestion-hook']],
  ['a Service', [failed('Service', 'agent')], ['ingestion-hook']],
])(
  'returns the remaining endpoints when the cluster rejects %s',
  (_, outcomes, names = ENDPOINTS.map(({ name }) => name)) => {
    expect(servedEndpoints(ENDPOINTS, outcomes).map(({ name }) => name)).toEqual(names)
  },
)
