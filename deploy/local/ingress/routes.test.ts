import { describe, expect, test } from 'vitest'
import { planRoutes } from './routes.ts'
import type { Ingress, Service } from './routes.ts'

type Path = NonNullable<
  NonNullable<NonNullable<Ingress['spec']>['rules']>[number]['http']
>['paths'][number]

const service: Service = {
  metadata: { name: 'web', namespace: 'agent-x' },
  spec: {
    clusterIP: '10.96.0.9',
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  },
}

function path(change: Partial<Path> = {}): Path {
  return {
    path: '/',
    pathType: 'Prefix',
    backend: { service: { name: 'web', port: { number: 80 } } },
    ...change,
  }
}

function ingress(
  host: string,
  paths: readonly Path[] = [path()],
  metadata: Partial<Ingress['metadata']> = {},
): Ingress {
  return {
    metadata: {
      name: 'web',
      namespace: 'agent-x',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: { ingressClassName: 'slipway-local', rules: [{ host, http: { paths } }] },
  }
}

const target = { address: '10.96.0.9', port: 80 }

test('routes a host to the address of its Service', () => {
  const { routes, problems } = planRoutes([ingress('a.example')], [service])
  expect(routes).toEqual([{ host: 'a.example', path: '/', match: 'prefix', target }])
  expect(problems).toEqual([])
})

test('accepts ports by number or name, and distinguishes prefixes from exact paths', () => {
  const byName = { service: { name: 'web', port: { name: 'http' } } }
  const paths = [path({ path: '/b/', backend: byName }), path({ path: '/b/', pathType: 'Exact' })]
  expect(planRoutes([ingress('*.example', paths)], [service]).routes).toEqual([
    { host: '*.example', path: '/b', match: 'prefix', target },
    { host: '*.example', path: '/b/', match: 'exact', target },
  ])
})

test('uses only Services in the namespace of the Ingress', () => {
  const foreign = { ...service, metadata: { ...service.metadata, namespace: 'agent-y' } }
  expect(planRoutes([ingress('a.example')], [foreign]).routes[0]?.target).toBeUndefined()
})

test('serves the older of two Ingresses with the same path', () => {
  const late = ingress('a.example', [path()], {
    name: 'a-late',
    creationTimestamp: '2026-01-02T00:00:00Z',
  })
  const { routes, problems } = planRoutes([late, ingress('a.example', [path()])], [service])
  expect(routes).toHaveLength(1)
  expect(problems).toEqual(['agent-x/a-late: "a.example/" belongs to an older Ingress'])
})

describe('a route has no target', () => {
  const backend = (name: string, port: object) => path({ backend: { service: { name, port } } })
  test.each<[string, Path, Service]>([
    ['does not exist', backend('other', { number: 80 }), service],
    ['does not have', backend('web', { number: 81 }), service],
    ['does not have', backend('web', { name: 'grpc' }), service],
    ['UDP port', backend('web', { name: 'dns' }), service],
    ['without an address', path(), { ...service, spec: { ...service.spec, clusterIP: 'None' } }],
  ])('if the problem is: %s', (problem, asked, given) => {
    const plan = planRoutes([ingress('a.example', [asked])], [given])
    expect(plan.routes).toEqual([expect.objectContaining({ host: 'a.example', target: undefined })])
    expect(plan.problems).toEqual([expect.stringContaining(problem)])
  })
})

describe('there is no route', () => {
  test.each([
    ['of another class', { ...ingress('a.example'), spec: { ingressClassName: 'nginx' } }],
    [
      'that is being deleted',
      ingress('a.example', [path()], { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ],
  ])('for an Ingress %s', (_, other) => {
    expect(planRoutes([other], [service])).toEqual({ routes: [], problems: [] })
  })

  const hosts = [
    '',
    '_',
    'A.example',
    'a b',
    'a";',
    'a.example{',
    'a\n',
    '*',
    '*.*.example',
    '-a',
    'a..b',
    '~^.*$',
    'ä.example',
  ]
  test.each([...hosts, 'a.'.repeat(130)])('for the host %j', (host) => {
    const plan = planRoutes([ingress(host)], [service])
    expect([plan.routes, plan.problems.length]).toEqual([[], 1])
  })

  const paths = [
    '',
    'a',
    '/a"b',
    '/a;',
    '/{',
    '/$host',
    '/\\',
    "/'",
    '/a b',
    '/a\n}',
    '/%2e',
    '/#',
    '/ä',
    `/${'a'.repeat(1024)}`,
  ]
  test.each(paths)('for the path %j', (asked) => {
    const plan = planRoutes([ingress('a.example', [path({ path: asked })])], [service])
    expect([plan.routes, plan.problems.length]).toEqual([[], 1])
  })

  test('for a backend that is not a Service', () => {
    expect(planRoutes([ingress('a.example', [path({ backend: {} })])], [service]).routes).toEqual(
      [],
    )
  })
})
