import { newTraceId } from '../../support/ingest.ts'
import type { ObservedWorld } from '../support/trace-fixture.ts'
import type { Caller } from '../support/catalog-fixture.ts'

/** The routes, as the API document names them. */
export const ROUTES = {
  traces: 'GET /agents/{account}/{name}/observability/traces',
  metrics: 'GET /agents/{account}/{name}/observability/metrics',
  summary: 'GET /agents/{account}/{name}/observability/summary',
  trace: 'GET /agents/{account}/{name}/observability/traces/{trace_id}',
} as const
export type RouteName = keyof typeof ROUTES
export const RANGE_ROUTES = ['traces', 'metrics', 'summary'] as const

/** One request and the expected response. */
export interface ObservabilityCase {
  readonly route: RouteName
  readonly caller: Caller
  readonly status: number
  readonly code?: string
  readonly account?: string
  readonly name?: string
  readonly traceId?: string
  /** As in the URL. */
  readonly query?: string
  /** The field that the problem must name. */
  readonly names?: string
}

/** The path of a case below `/api/v1`. */
export function pathOf(world: ObservedWorld, each: ObservabilityCase): string {
  const {
    route,
    account = world.account,
    name = world.agent,
    traceId = world.good,
    query = '',
  } = each
  const rest = route === 'trace' ? `traces/${encodeURIComponent(traceId)}` : route
  const agent = `/agents/${encodeURIComponent(account)}/${encodeURIComponent(name)}`
  return `${agent}/observability/${rest}${query && `?${query}`}`
}

const INSIDERS = ['owner', 'admin', 'member'] as const
const EVERY = ['traces', 'metrics', 'summary', 'trace'] as const

/** All requests that can be made while all parts run. */
export function casesOf(world: ObservedWorld): ObservabilityCase[] {
  const refused = { status: 403, code: 'permission_denied' } as const
  const unknown = {
    route: 'trace',
    caller: 'member',
    status: 404,
    code: 'trace_not_found',
  } as const
  return [
    ...EVERY.flatMap((route): ObservabilityCase[] => [
      ...INSIDERS.map((caller) => ({ route, caller, status: 200 })),
      { route, caller: 'anonymous', status: 401, code: 'token_required' },
      { route, caller: 'stranger', ...refused },
      { route, caller: 'owner', account: 'no-such-account', ...refused },
      // Names with a meaning in paths, accounts or queries are just unknown names.
      { route, caller: 'owner', account: `${world.account}'--`, ...refused },
      { route, caller: 'owner', account: `../${world.account}`, ...refused },
      { route, caller: 'owner', account: world.account.toUpperCase(), ...refused },
      { route, caller: 'owner', name: 'a\0b', status: 400, code: 'invalid_argument' },
    ]),
    ...RANGE_ROUTES.flatMap((route): ObservabilityCase[] => [
      { route, caller: 'member', name: 'never-seen', status: 200 },
      {
        route,
        caller: 'member',
        query: 'start_time=2026-01-01T00:00:00Z%00',
        status: 400,
        code: 'invalid_argument',
      },
    ]),
    { ...unknown, traceId: newTraceId() },
    { ...unknown, name: 'never-seen' },
    { route: 'trace', caller: 'member', status: 200, traceId: world.good.toUpperCase() },
    ...['0'.repeat(31), '0'.repeat(33), 'g'.repeat(32), "'; SELECT 1 --", '%00'].map(
      (traceId): ObservabilityCase => ({
        route: 'trace',
        caller: 'member',
        traceId,
        status: 400,
        code: 'invalid_argument',
        names: 'trace_id',
      }),
    ),
    ...taken(),
    ...refusedParameters(),
  ]
}

/** Parameters at their bounds, and times in every form of RFC 3339. */
function taken(): ObservabilityCase[] {
  const good: Readonly<Record<(typeof RANGE_ROUTES)[number], readonly string[]>> = {
    traces: [
      'limit=1',
      'limit=500',
      'offset=0',
      'offset=100000',
      'status=ok',
      'status=error',
      `q=${'x'.repeat(256)}`,
    ].concat([
      `build_id=${'b'.repeat(128)}`,
      'limit=1&offset=1&status=ok&q=x&build_id=b',
      'unknown=1',
    ]),
    // 5,000 buckets, the maximum.
    metrics: [
      'interval=1',
      'interval=44640',
      `${between('2026-01-01T00:00:00Z', 5000)}&interval=1`,
    ],
    summary: [],
  }
  const times = [
    'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T00:00:00.001Z',
    'start_time=2026-01-01T02:00:00%2B02:00&end_time=2026-01-01T00:00:01-00:00',
    'start_time=2026-01-01t00:00:00z&end_time=2026-01-01T00:00:00.123456789Z',
    // The start of daylight saving time, and a leap day.
    'start_time=2026-03-29T00:00:00%2B01:00&end_time=2026-03-30T00:00:00%2B02:00',
    'start_time=2028-02-29T00:00:00Z&end_time=2028-03-01T00:00:00Z',
  ]
  return RANGE_ROUTES.flatMap((route) =>
    [...good[route], ...times].map((query): ObservabilityCase => ({
      route,
      caller: 'member',
      status: 200,
      query,
    })),
  )
}

/** Parameters beyond their bounds; the problem names each. */
function refusedParameters(): ObservabilityCase[] {
  const bad = (route: RouteName, names: string, query: string): ObservabilityCase => {
    return { route, caller: 'member', status: 400, code: 'invalid_argument', query, names }
  }
  const times = [
    '',
    'yesterday',
    '1767225600000',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
  ]
    .concat([
      '2026-12-31T23:59:60Z',
      '2026-13-01T00:00:00Z',
      '10000-01-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
    ])
    .concat(['2026-01-01T00:00:00Z; DROP TABLE spans', '-1'])
  const noIntegers = [
    '',
    '-1',
    '1.5',
    'abc',
    'NaN',
    'Infinity',
    '1e9',
    '9007199254740993',
    'true',
    'null',
  ]
  return [
    ...RANGE_ROUTES.flatMap((route) => [
      ...['start_time', 'end_time'].flatMap((name) => [
        ...times.map((time) => bad(route, name, `${name}=${time}`)),
        bad(route, name, `${name}=2026-01-01T00:00:00Z&${name}=2026-01-02T00:00:00Z`),
      ]),
      bad(route, 'start_time', 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T00:00:00Z'),
      bad(route, 'start_time', 'start_time=2026-01-02T00:00:00Z&end_time=2026-01-01T00:00:00Z'),
      bad(route, 'start_time', 'start_time=9999-01-01T00:00:00Z'),
      bad(route, 'end_time', 'end_time=9999-12-31T23:59:59-23:59'),
      bad(route, 'start_time', 'end_time=0001-01-01T00:00:01Z'),
    ]),
    ...[...noIntegers, '0', '501', '1&limit=2'].map((value) =>
      bad('traces', 'limit', `limit=${value}`),
    ),
    ...[...noIntegers, '100001', '1&offset=2'].map((value) =>
      bad('traces', 'offset', `offset=${value}`),
    ),
    ...[...noIntegers, '0', '44641', '1&interval=2'].map((value) =>
      bad('metrics', 'interval', `interval=${value}`),
    ),
    ...['', 'OK', 'failed', 'ok,error', 'ok&status=error'].map((value) =>
      bad('traces', 'status', `status=${value}`),
    ),
    ...['', 'x'.repeat(257), 'a&q=b'].map((value) => bad('traces', 'q', `q=${value}`)),
    ...['', 'x'.repeat(129), 'a&build_id=b'].map((value) =>
      bad('traces', 'build_id', `build_id=${value}`),
    ),
    bad(
      'metrics',
      'start_time',
      'start_time=0001-01-01T00:00:00Z&end_time=0001-01-02T00:00:00Z&interval=44640',
    ),
    bad('metrics', '5000', `${between('2026-01-01T00:00:00Z', 5001)}&interval=1`),
    bad(
      'metrics',
      '5000',
      'start_time=0001-01-01T00:00:00Z&end_time=9999-12-31T23:59:59Z&interval=44640',
    ),
  ]
}

/** A range of this many minutes. */
function between(start: string, minutes: number): string {
  const end = new Date(Date.parse(start) + minutes * 60_000)
  return `start_time=${start}&end_time=${end.toISOString()}`
}
