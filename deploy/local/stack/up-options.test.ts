import { describe, expect, test } from 'vitest'
import { defaultSettings } from './settings.ts'
import type { StackSettings } from './settings.ts'
import { parseReplicas, readUpOptions } from './up-options.ts'

const empty = new Map<string, string>()

function read(
  args: string[],
  more: { env?: Record<string, string>; previous?: StackSettings; own?: [string, string][] } = {},
) {
  return readUpOptions({
    args,
    env: more.env ?? {},
    previous: more.previous,
    previousEnv: new Map(more.own ?? empty),
  })
}

test('nothing said: one of each, all of its own', () => {
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
    kubeconfig: '/dev/null',
    external: {},
  })
})

test('what is not said stays as it is in a stack that is up', () => {
  const previous = read(['--replicas=deployer=2', '--port=9000', '--internet'])
  expect(read(['--replicas=catalog=2'], { previous })).toEqual({
    ...previous,
    replicas: { ...previous.replicas, catalog: 2 },
  })
})

test.each([
  [['--kubeconfig=/dev/null'], 'runs on a cluster of its own'],
  [['--internet'], 'runs without --internet'],
])('%j is refused below a stack that runs', (args, message) => {
  expect(() => read(args, { previous: defaultSettings })).toThrow(message)
})

describe('replaced parts', () => {
  const url = 'nats://elsewhere:4222'

  test('come from the environment and stay until the stack is down', () => {
    const previous = read([], { env: { NATS_URL: url, CLICKHOUSE_URL: '' } })
    expect(previous.external).toEqual({ NATS_URL: url })
    expect(read([], { previous, own: [['NATS_URL', url]] }).external).toEqual({ NATS_URL: url })
  })

  test('are none where the shell only has what this stack wrote itself', () => {
    const own = 'nats://127.0.0.1:4222'
    expect(read([], { env: { NATS_URL: own }, own: [['NATS_URL', own]] }).external).toEqual({})
  })
})

test.each([
  [['--replicas', 'catalogue=2'], 'catalogue is none of catalog'],
  [['--replicas', 'catalog'], 'must be a number from 1 to 5'],
  [['--replicas', 'catalog=0'], 'must be a number from 1 to 5'],
  [['--replicas', 'catalog=6'], 'must be a number from 1 to 5'],
  [['--replicas', ''], 'nothing is none of'],
  [['--replicas', 'observability=2'], 'set CLICKHOUSE_URL'],
  [['--kubeconfig', '/no/such/file'], 'there is no /no/such/file'],
  [['--port', '0'], 'is no port'],
  [['--port', '65536'], 'is no port'],
  [['--port', 'http'], 'is no port'],
  [['--ingress-port', '0'], '--ingress-port: 0 is no port'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['now'], 'Unexpected argument'],
])('%j is refused: %s', (args, message) => {
  expect(() => read(args)).toThrow(message)
})

test('a replaced part must be a URL', () => {
  expect(() => read([], { env: { NATS_URL: 'elsewhere' } })).toThrow('NATS_URL must be a URL')
})

test('reads replicas with blanks', () => {
  expect(parseReplicas(' catalog = 2 , gateway=1')).toEqual({ catalog: 2, gateway: 1 })
})
