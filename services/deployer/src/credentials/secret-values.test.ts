import { expect, test } from 'vitest'

import { renderPullSecret, renderSecret } from '../manifests/config-and-secrets.ts'
import { secretValuesIn, secretValuesOf } from './secret-values.ts'

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

test.each([
  ['a URL', 'postgres://app:pass%2Fword-1@db/app', ['pass%2Fword-1', 'pass/word-1']],
  ['a URL without a user', 'redis://:pass-word-1@cache', ['pass-word-1']],
  ['a URL with several hosts', 'mongodb://u:pass-word-1@a:1,b:2/x', ['pass-word-1']],
  ['a URL with a short password', 'amqp://guest:guest@queue', []],
  ['a URL without one', 'https://api.example/v1:2@3', []],
  [
    'a service account',
    JSON.stringify({
      type: 'service_account',
      private_key: '-----BEGIN-----\nMIIEvQ\n',
      token_uri: 'https://oauth.example',
    }),
    ['-----BEGIN-----\nMIIEvQ\n'],
  ],
  ['nested JSON', JSON.stringify({ a: [{ client_secret: 'very-secret' }] }), ['very-secret']],
  ['broken JSON', '{"client_secret":"very-secret"', []],
])('returns the secrets within %s', (_what, value, parts) => {
  const contents = new Map([['s', { VALUE: value }]])
  expect(secretValuesIn(contents, () => true)).toEqual([value, ...parts])
})
