import { describe, expect, test } from 'vitest'

import { parseIssuers } from './issuers.ts'

const CLUSTER = { kind: 'service', kubernetes: true, audience: 'x', services: { a: 'b' } }

describe('parseIssuers', () => {
  test.each([
    ['a value that is not a list', {}, 'must be a JSON array'],
    ['an empty list', [], 'at least one issuer'],
    ['an issuer that is not a URL', [{ issuer: 'issuer' }], '[0].issuer must be an http(s) URL'],
    [
      'a shared-secret algorithm',
      [{ issuer: 'https://a.example', algorithms: ['HS256'] }],
      'HS256 is not an asymmetric',
    ],
    [
      'the algorithm none',
      [{ issuer: 'https://a.example', algorithms: ['none'] }],
      'none is not an asymmetric',
    ],
    [
      'a service without names',
      [{ issuer: 'https://a.example', kind: 'service', audience: 'x' }],
      '[0].services',
    ],
    [
      'a service without audience',
      [{ issuer: 'https://a.example', kind: 'service', services: { a: 'b' } }],
      '[0].audience',
    ],
    [
      'a cluster’s issuer for people',
      [{ kubernetes: true, audience: 'x' }],
      '[0].kind must be service with kubernetes',
    ],
    [
      'a cluster’s issuer with a URL',
      [{ ...CLUSTER, issuer: 'https://a.example' }],
      '[0].issuer must not be set with kubernetes',
    ],
    [
      'a cluster’s issuer outside a cluster',
      [CLUSTER],
      '[0].kubernetes needs KUBERNETES_SERVICE_HOST',
    ],
    [
      'ID tokens for any client',
      [{ issuer: 'https://a.example', id_tokens: true }],
      '[0].id_tokens needs an audience',
    ],
    [
      'userinfo with ID tokens',
      [{ issuer: 'https://a.example', audience: 'x', id_tokens: true, userinfo: true }],
      '[0].userinfo must not be set with id_tokens',
    ],
    [
      'userinfo of services',
      [
        {
          issuer: 'https://a.example',
          kind: 'service',
          audience: 'x',
          services: { a: 'b' },
          userinfo: true,
        },
      ],
      "[0].userinfo is for issuers of people's tokens",
    ],
    [
      'a text in place of true or false',
      [{ issuer: 'https://a.example', audience: 'x', id_tokens: 'yes' }],
      '[0].id_tokens must be true or false',
    ],
    [
      'keys over plain HTTP from another host',
      [{ issuer: 'http://login.example.com' }],
      '[0].issuer must be an https URL',
    ],
    [
      'a key set over plain HTTP from another host',
      [{ issuer: 'https://a.example', jwks_uri: 'http://127.0.0.1.example.com/jwks' }],
      '[0].jwks_uri must be an https URL',
    ],
    ...[[], 'cli', ['']].map((clients): [string, unknown, string] => [
      `${JSON.stringify(clients)} as clients`,
      [{ issuer: 'https://a.example', clients }],
      '[0].clients must be a list of at least one client id',
    ]),
    [
      'a login for services',
      [{ ...CLUSTER, login: { client_id: 'cli' } }],
      '[0].login must not be set with kubernetes',
    ],
    [
      'a login whose tokens are rejected',
      [{ issuer: 'https://a.example', clients: ['web'], login: { client_id: 'cli' } }],
      '[0].login.client_id must be one of clients',
    ],
    ...(
      [
        [null, '[0].login must be an object'],
        [{}, '[0].login.client_id must be'],
        [{ client_id: 'cli', scopes: [] }, '[0].login.scopes must be'],
        [{ client_id: 'cli', scopes: ['openid email'] }, '[0].login.scopes must be'],
        [{ client_id: 'cli', audience: '' }, '[0].login.audience must be'],
      ] as const
    ).map(([login, message]): [string, unknown, string] => [
      `${JSON.stringify(login)} as login`,
      [{ issuer: 'https://a.example', login }],
      message,
    ]),
    [
      'the realm of machine tokens',
      [{ issuer: 'https://a.example', realm: 'urn:slipway:machine-token' }],
      '[0].realm is that of machine tokens',
    ],
    ['an unknown kind', [{ issuer: 'https://a.example', kind: 'robot' }], '[0].kind'],
  ])('rejects %s', (_what, value, message) => {
    expect(() => parseIssuers(value)).toThrow(message)
  })

  test.each([
    { issuer: 'http://localhost:9200' },
    { issuer: 'http://127.0.0.1:9200' },
    { issuer: 'http://[::1]:9200' },
    // No key is read from the issuer.
    { issuer: 'http://login.example.com', jwks_uri: 'https://login.example.com/jwks' },
    { issuer: 'http://login.example.com', allow_http: true },
  ])('accepts $issuer', (entry) => {
    expect(parseIssuers([entry])).toMatchObject([{ issuer: entry.issuer }])
  })

  test('asks for the usual scopes at login unless others are given', () => {
    const entry = { issuer: 'https://a.example', audience: 'x' }
    const [usual, other] = parseIssuers([
      { ...entry, login: { client_id: 'cli' } },
      { ...entry, login: { client_id: 'cli', scopes: ['api://x/.default'], audience: 'y' } },
    ])
    expect([usual, other]).toMatchObject([
      { login: { clientId: 'cli', scopes: ['openid', 'profile', 'email', 'offline_access'] } },
      { login: { clientId: 'cli', scopes: ['api://x/.default'], audience: 'y' } },
    ])
  })
})
