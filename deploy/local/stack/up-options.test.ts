import { describe, expect, test } from 'vitest'
import { defaultSettings } from './settings.ts'
import type { StackSettings } from './settings.ts'
import { parseReplicas, readUpOptions } from './up-options.ts'

const empty = new Map<string, string>()

function read(
  args: string[],
  more: {
    env?: Record<string, string>
    arch?: NodeJS.Architecture
    previous?: StackSettings
    own?: [string, string][]
  } = {},
) {
  return readUpOptions({
    args,
    env: more.env ?? {},
    arch: more.arch ?? 'x64',
    previous: more.previous,
    previousEnv: new Map(more.own ?? empty),
  })
}

test('has defaults for everything', () => {
  expect(read([])).toEqual(defaultSettings)
})

test('reads every option', () => {
  const settings = read([
    '--replicas',
    'catalog=2,gateway=3',
    '--port',
    '9000',
    '--ingress-port',
    '80',
    '--internet',
    '--kubeconfig',
    '/dev/null',
  ])
  expect(settings).toEqual({
    replicas: { catalog: 2, deployer: 1, observability: 1, gateway: 3 },
    port: 9000,
    ingressPort: 80,
    internet: true,
    inCluster: false,
    kubeconfig: '/dev/null',
    external: {},
  })
})

test('keeps the previous value of an option that is not given', () => {
  const previous = read(['--replicas=deployer=2', '--port=9000', '--internet'])
  expect(read(['--replicas=catalog=2'], { previous })).toEqual({
    ...previous,
    replicas: { ...previous.replicas, catalog: 2 },
  })
})

test.each([
  [['--kubeconfig=/dev/null'], 'runs on its own cluster'],
  [['--internet'], 'runs without --internet'],
  [['--in-cluster'], 'run as processes of this machine'],
])('refuses %j for a stack that runs', (args, message) => {
  expect(() => read(args, { previous: defaultSettings })).toThrow(message)
})

test('installs into the cluster of the stack only', () => {
  expect(read(['--in-cluster']).inCluster).toBe(true)
  expect(() => read(['--in-cluster', '--kubeconfig=/dev/null'])).toThrow('not of --kubeconfig')
})

describe('replaced parts', () => {
  const url = 'nats://elsewhere:4222'

  test('are read from the environment and kept until the stack is down', () => {
    const previous = read([], { env: { NATS_URL: url, CLICKHOUSE_URL: '' } })
    expect(previous.external).toEqual({ NATS_URL: url })
    expect(read([], { previous, own: [['NATS_URL', url]] }).external).toEqual({ NATS_URL: url })
  })

  test('are not taken from the variables that the stack itself has written', () => {
    const own = 'nats://127.0.0.1:4222'
    expect(read([], { env: { NATS_URL: own }, own: [['NATS_URL', own]] }).external).toEqual({})
  })
})

test.each([
  [['--replicas', 'catalogue=2'], '"catalogue" is not a service; use catalog'],
  [['--replicas', 'catalog'], 'must be a number from 1 to 5'],
  [['--replicas', 'catalog=0'], 'must be a number from 1 to 5'],
  [['--replicas', 'catalog=6'], 'must be a number from 1 to 5'],
  [['--replicas', ''], '"" is not a service'],
  [['--replicas', 'observability=2'], 'set CLICKHOUSE_URL'],
  [['--kubeconfig', '/no/such/file'], '/no/such/file does not exist'],
  [['--port', '0'], '0 is not a port'],
  [['--port', '65536'], '65536 is not a port'],
  [['--port', 'http'], 'http is not a port'],
  [['--ingress-port', '0'], '--ingress-port: 0 is not a port'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['now'], 'Unexpected argument'],
])('rejects %j: %s', (args, message) => {
  expect(() => read(args)).toThrow(message)
})

test('rejects a replaced part that is not a URL', () => {
  expect(() => read([], { env: { NATS_URL: 'elsewhere' } })).toThrow('NATS_URL must be a URL')
})

describe('on arm64', () => {
  test('refuses to run without CLICKHOUSE_URL', () => {
    expect(() => read([], { arch: 'arm64' })).toThrow('set CLICKHOUSE_URL to a ClickHouse server')
  })

  test('runs with CLICKHOUSE_URL, even in a later up without it', () => {
    const env = { CLICKHOUSE_URL: 'http://elsewhere:8123' }
    const previous = read([], { arch: 'arm64', env })
    expect(previous.external).toEqual(env)
    expect(read([], { arch: 'arm64', previous })).toEqual(previous)
  })
})

test('accepts blanks in replicas', () => {
  expect(parseReplicas(' catalog = 2 , gateway=1')).toEqual({ catalog: 2, gateway: 1 })
})
