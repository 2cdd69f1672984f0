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
  test('has defaults for everything that is not a secret', () => {
    const config = readConfig(NEEDED)
    expect(config).toMatchObject({
      grpcAddress: '127.0.0.1:9102',
      catalogAddresses: ['127.0.0.1:9121'],
      cluster: { kubeconfigPath: undefined, workloadRole: 'slipway-deployer-workloads' },
      limits: { maxRevisions: 100, lockWaitMs: 30_000, terminatingWaitMs: 30_000 },
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

  test('derives the network peers of the ingest endpoint from its address', () => {
    const network = (env: object) => readConfig({ ...NEEDED, ...env }).workloads.manifests.network
    expect(network({ INGEST_URL: 'http://10.240.0.1:4318/' })).toMatchObject({
      ingest: [{ ipBlock: { cidr: '10.240.0.1/32' } }],
      ingestPort: 4318,
    })
    expect(network({ INGEST_URL: 'http://[fd00::1]:4318' }).ingest).toEqual([
      { ipBlock: { cidr: 'fd00::1/128' } },
    ])
    const onTheInternet = { INGEST_URL: 'https://ingest.example', NETWORK_INGEST_PEERS: '[]' }
    expect(network(onTheInternet)).toMatchObject({ ingest: [], ingestPort: 443 })
    const peers = '[{"namespaceSelector":{"matchLabels":{"a":"b"}}}]'
    expect(network({ NETWORK_INGRESS_PEERS: peers }).ingressController).toEqual(JSON.parse(peers))
  })

  test('never lets agents reach metadata servers, and by default no private network', () => {
    const ranges = (env: object) =>
      readConfig({ ...NEEDED, ...env }).workloads.manifests.network.internalRanges
    const metadata = ['168.63.129.16/32', '169.254.0.0/16', '192.0.0.0/24', 'fe80::/10']
    const tunnels = ['::/96', '2001::/32', '2002::/16', 'fec0::/10']
    const unrouted = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', 'ff00::/8', ...tunnels]
    const internal = ['10.0.0.0/8', '64:ff9b::/96', 'fc00::/7']
    expect(ranges({})).toEqual(expect.arrayContaining([...metadata, ...unrouted, ...internal]))
    const own = ranges({ NETWORK_INTERNAL_RANGES: '198.51.100.0/24,169.254.0.0/16' })
    // Without the range of NAT64, what it leads to of these.
    const mapped = ['64:ff9b::a9fe:0/112', '64:ff9b::/104', '64:ff9b::c633:6400/120']
    expect(own).toEqual(
      expect.arrayContaining([...metadata, ...unrouted, ...mapped, '198.51.100.0/24']),
    )
    expect(own).not.toContain('10.0.0.0/8')
    expect(new Set(own).size).toBe(own.length)
  })

  test.each([
    ['{}', 'must be a JSON array'],
    ['[{"agent":"a"}]', 'has an entry without the id of an account'],
    ['[{"account":"1","level":"privileged"}]', 'level is not one of restricted, baseline'],
    ['[{"account":"1","uid":-1}]', 'uid is not an integer from 0 to 2147483647'],
    ['[{"account":"1","uid":0}]', 'allows root (uid 0), which requires the level baseline'],
    ['[{"account":"1","user":0}]', 'the unknown key user'],
  ])('rejects an exception from Pod Security: %s', (text, problem) => {
    expect(() => readConfig({ ...NEEDED, POD_SECURITY_EXCEPTIONS: text })).toThrow(problem)
  })

  test('reads exceptions from Pod Security', () => {
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
      'NETWORK_INGEST_PEERS: is required because the host of INGEST_URL is not',
    ],
    [
      {
        INGEST_URL: 'http://ingest.example:4318',
        NETWORK_INGEST_PEERS: '[{"ipBlock":{"cidr":"0.0.0.0/0"}},{"ipBlock":{"cidr":"::/0"}}]',
      },
      'NETWORK_INGEST_PEERS: the prefix of ::/0 must be at least /32',
    ],
    [{ NETWORK_INTERNAL_RANGES: '10.0.0.0' }, 'NETWORK_INTERNAL_RANGES: 10.0.0.0 is not a CIDR'],
    [{ POD_EPHEMERAL_STORAGE_LIMIT: 'much' }, 'POD_EPHEMERAL_STORAGE_LIMIT: must be a quantity'],
    [
      { POD_EPHEMERAL_STORAGE_REQUEST: '60Gi' },
      'POD_EPHEMERAL_STORAGE_REQUEST: must be a quantity of at most MODEL_EPHEMERAL_STORAGE_LIMIT',
    ],
    [{ INTERNAL_REGISTRIES: 'https://r.example' }, 'must be a host or host:port, without'],
    [{ REGISTRY_REALMS: 'none,r.example' }, 'REGISTRY_REALMS: r.example must be a registry and'],
    [{ REGISTRY_REALMS: 'r.example:0=https://a.example' }, 'must be a registry and the origin'],
    [{ REGISTRY_REALMS: 'r.example=https://a.example/token' }, 'must be a registry and the origin'],
    [{ INGRESS_TLS_CERT_FILE: FILE }, 'must be set together'],
    [{ INGRESS_TLS_KEY_FILE: FILE }, 'must be set together'],
    [
      { INGRESS_TLS_CERT_FILE: FILE, INGRESS_TLS_KEY_FILE: FILE, INGRESS_TLS_SECRET: 'a' },
      'INGRESS_TLS_SECRET: cannot be combined',
    ],
  ])('rejects settings that would not work: %j', (env, problem) => {
    expect(() => readConfig({ ...NEEDED, ...env })).toThrow(problem)
  })

  test('reports all problems at once', () => {
    const wrong = {
      ...NEEDED,
      SECRET_NAME_KEY: 'short',
      POD_SECURITY: 'privileged',
      POD_UID: '0',
      INGEST_URL: 'nowhere',
      NETWORK_DNS_PEERS: '{}',
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
          'SECRET_NAME_KEY',
        ]
          .map((name) => `(?=[^]*${name}: )`)
          .join(''),
      ),
    )
  })
})
