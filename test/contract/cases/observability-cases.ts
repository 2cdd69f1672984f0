import { RANGE_ROUTES, type ObservabilityCase } from './observability-case.ts'
import { between, refusedParameters } from './observability-refusals.ts'
import { newTraceId } from '../../support/ingest.ts'
import { SESSION, type ObservedWorld } from '../support/trace-fixture.ts'

/** The path of a case below `/api/v1`. */
export function pathOf(world: ObservedWorld, each: ObservabilityCase): string {
  const {
    route,
    account = world.account,
    name = world.agent,
    traceId = world.good,
    sessionId = SESSION,
    query = '',
  } = each
  const trace = `traces/${encodeURIComponent(traceId)}`
  const single = {
    trace,
    export: `${trace}/export`,
    exports: 'traces/export',
    session: `sessions/${encodeURIComponent(sessionId)}`,
  }
  const rest = route in single ? single[route as keyof typeof single] : route
  const agent = `/agents/${encodeURIComponent(account)}/${encodeURIComponent(name)}`
  return `${agent}/observability/${rest}${query && `?${query}`}`
}

const INSIDERS = ['owner', 'admin', 'member'] as const
const EVERY = [
  'traces',
  'metrics',
  'summary',
  'trace',
  'sessions',
  'session',
  'exports',
  'export',
] as const

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
    { ...unknown, route: 'export', traceId: newTraceId() },
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
    {
      route: 'session',
      caller: 'member',
      status: 404,
      code: 'session_not_found',
      sessionId: 'a/b?c#d%2F',
    },
    { route: 'session', caller: 'member', status: 200, query: 'limit=500&offset=1' },
    {
      route: 'session',
      caller: 'member',
      status: 400,
      code: 'invalid_argument',
      sessionId: 'x'.repeat(257),
      names: 'session_id',
    },
    ...(['exports', 'export'] as const).flatMap((route): ObservabilityCase[] => [
      { route, caller: 'member', status: 200, query: 'format=otlp' },
      ...['', 'OTLP', 'csv'].map((format): ObservabilityCase => ({
        route,
        caller: 'member',
        status: 400,
        code: 'invalid_argument',
        query: `format=${format}`,
        names: 'format',
      })),
    ]),
    // A list for export takes the parameters of a list.
    ...['limit=501', 'status=failed', 'start_time=yesterday'].map((query): ObservabilityCase => ({
      route: 'exports',
      caller: 'member',
      status: 400,
      code: 'invalid_argument',
      query,
      names: query.split('=', 1)[0] ?? '',
    })),
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
      `session_id=${'s'.repeat(256)}&user_id=u&model=m&tool=t`,
      'min_tokens=0&max_tokens=1000000000000&min_cost_usd=0.001&min_latency_ms=0.5',
      'has_errors=true',
      'unknown=1',
    ]),
    // 5,000 buckets, the maximum.
    metrics: [
      'interval=1',
      'interval=44640',
      'group_by=model',
      'group_by=build',
      'group_by=model&group_buckets=true',
      `${between('2026-01-01T00:00:00Z', 500)}&interval=1&group_by=model&group_buckets=true`,
      `${between('2026-01-01T00:00:00Z', 5000)}&interval=1`,
    ],
    summary: [],
    sessions: [`q=${'x'.repeat(256)}&user_id=u&has_errors=false&limit=500&offset=100000`],
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
