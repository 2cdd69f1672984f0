import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { readConfig } from './config.ts'

const FILE = fileURLToPath(import.meta.url)
const NEEDED = {
  DATABASE_URL: 'postgres://deployer@127.0.0.1/deployer',
  AUTH_ISSUERS: '[{"issuer":"http://127.0.0.1:9200"}]',
  SERVICE_TOKEN_FILE: '/run/token',
  SECRET_NAME_KEY: 'ab'.repeat(32),
}

describe('readConfig', () => {
  test('takes defaults for all that is not secret', () => {
    const config = readConfig(NEEDED)
    expect(config).toMatchObject({
      grpcAddress: '127.0.0.1:9102',
      catalogAddresses: ['127.0.0.1:9111'],
      cluster: { kubeconfigPath: undefined, workloadRole: 'slipway-deployer-workloads' },
      limits: { lockWaitMs: 30_000, terminatingWaitMs: 30_000 },
    })
    expect(config.workloads).toMatchObject({
      ingestUrl: undefined,
      manifests: {
        podSecurity: 'restricted',
        podUid: 1000,
        ingress: { domain: undefined, scheme: 'https' },
      },
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('lets agents reach an ingest endpoint that is an address, and nobody else', () => {
    const network = (env: object) => readConfig({ ...NEEDED, ...env }).workloads.manifests.network
    expect(network({ INGEST_URL: 'http://10.240.0.1:4318/' })).toMatchObject({
      ingest: [{ ipBlock: { cidr: '10.240.0.1/32' } }],
      ingestPort: 4318,
    })
    const onTheInternet = { INGEST_URL: 'https://ingest.example', NETWORK_INGEST_PEERS: '[]' }
    expect(network(onTheInternet)).toMatchObject({ ingest: [], ingestPort: 443 })
    const peers = '[{"namespaceSelector":{"matchLabels":{"a":"b"}}}]'
    expect(network({ NETWORK_INGRESS_PEERS: peers }).ingressController).toEqual(JSON.parse(peers))
  })

  test.each([
    ['{}', 'must be a JSON array'],
    ['[{"agent":"a"}]', 'id of an account'],
    ['[{"account":"1","level":"privileged"}]', 'none of restricted, baseline'],
    ['[{"account":"1","uid":-1}]', 'a uid that is none'],
    ['[{"account":"1","uid":0}]', 'root only with the level baseline'],
    ['[{"account":"1","user":0}]', 'an unknown member user'],
  ])('refuses an exception from Pod Security: %s', (text, problem) => {
    expect(() => readConfig({ ...NEEDED, POD_SECURITY_EXCEPTIONS: text })).toThrow(problem)
  })

  test('takes exceptions from Pod Security', () => {
    const exceptions = [
      { account: '1', agent: 'a', level: 'baseline', uid: 0 },
      { account: '2', uid: 65_532 },
    ]
    const { manifests } = readConfig({
      ...NEEDED,
      POD_SECURITY_EXCEPTIONS: JSON.stringify(exceptions),
    }).workloads
    expect(manifests.podSecurityExceptions).toEqual(exceptions)
  })

  test.each([
    [
      { INGRESS_DOMAIN: 'agents.example' },
      'NETWORK_INGRESS_PEERS: must name the ingress controller',
    ],
    [
      { INGRESS_DOMAIN: 'agents.example', NETWORK_INGRESS_PEERS: '[]' },
      'NETWORK_INGRESS_PEERS: must name',
    ],
    [
      { INGEST_URL: 'http://ingest.slipway.svc:4318' },
      'NETWORK_INGEST_PEERS: must say where INGEST_URL leads',
    ],
    [
      { INGEST_URL: 'http://[fd00::1]:4318' },
      'NETWORK_INGEST_PEERS: must say where INGEST_URL leads',
    ],
    [{ INGRESS_TLS_CERT_FILE: FILE }, 'must be set both'],
    [{ INGRESS_TLS_KEY_FILE: '/no/such/file' }, 'INGRESS_TLS_KEY_FILE: can not be read'],
    [
      { INGRESS_TLS_CERT_FILE: FILE, INGRESS_TLS_KEY_FILE: FILE, INGRESS_TLS_SECRET: 'a' },
      'INGRESS_TLS_SECRET: can not',
    ],
  ])('refuses settings of which nothing would come: %j', (env, problem) => {
    expect(() => readConfig({ ...NEEDED, ...env })).toThrow(problem)
  })

  test('names all that is wrong at once', () => {
    const wrong = {
      ...NEEDED,
      SECRET_NAME_KEY: 'short',
      POD_SECURITY: 'privileged',
      POD_UID: '0',
      INGEST_URL: 'nowhere',
      NETWORK_DNS_PEERS: '{}',
      PULL_SECRET_FILE: '/no/such/file',
      PROVIDER_OVERRIDES: '{"nothing": {}}',
    }
    expect(() => readConfig(wrong)).toThrow(
      new RegExp(
        [
          'PROVIDER_OVERRIDES',
          'INGEST_URL',
          'POD_SECURITY',
          'POD_UID',
          'NETWORK_DNS_PEERS',
          'PULL_SECRET_FILE',
          'SECRET_NAME_KEY',
        ]
          .map((name) => `(?=[^]*${name}: )`)
          .join(''),
      ),
    )
  })
})
