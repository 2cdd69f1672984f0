import { expect, test } from 'vitest'

import { renderPullSecret, renderSecret } from '../manifests/config-and-secrets.ts'
import { secretValuesOf } from './secret-values.ts'

const IDENTITY = { deploymentId: 'd', accountId: 'a', agent: 'agent', buildId: 'b', namespace: 'n' }
const AGENT = { kind: 'agent' } as const

test('returns the values of Secrets and the tokens and passwords within them', () => {
  const auth = Buffer.from('puller:registry-password').toString('base64')
  const auths = { 'registry.example': { auth, identitytoken: 'identity-token' } }
  const config = JSON.stringify({ auths })
  const objects = [
    renderSecret(IDENTITY, AGENT, 's', {
      TOKEN: 'token-value',
      OTEL: 'authorization=Bearer%20ingest-token',
    }),
    renderPullSecret(IDENTITY, { source: 'file', auths }, Buffer.alloc(32)),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { plain: 'cGxhaW4=' } },
  ].map((object) => ({ component: '', object }))
  expect(secretValuesOf(objects).toSorted()).toEqual(
    [
      'token-value',
      'authorization=Bearer%20ingest-token',
      'ingest-token',
      config,
      auth,
      'registry-password',
    ]
      .concat(['identity-token'])
      .toSorted(),
  )
})
