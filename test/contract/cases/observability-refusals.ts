import { RANGE_ROUTES, type ObservabilityCase, type RouteName } from './observability-case.ts'

/** Parameters beyond their bounds; the problem names each. */
export function refusedParameters(): ObservabilityCase[] {
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
    ...['q', 'session_id', 'user_id', 'model', 'tool'].flatMap((name) =>
      ['', 'x'.repeat(257), `a&${name}=b`].map((value) => bad('traces', name, `${name}=${value}`)),
    ),
    ...['min_tokens', 'max_tokens'].flatMap((name) =>
      [...noIntegers, '1000000000001'].map((value) => bad('traces', name, `${name}=${value}`)),
    ),
    ...['-1', 'x', 'NaN', '1e2', '1000000001'].map((value) =>
      bad('traces', 'min_latency_ms', `min_latency_ms=${value}`),
    ),
    ...(['traces', 'sessions'] as const).map((route) =>
      bad(route, 'has_errors', 'has_errors=maybe'),
    ),
    ...['q', 'user_id', 'limit', 'offset'].map((name) => bad('sessions', name, `${name}=`)),
    bad('session', 'limit', 'limit=501'),
    bad('metrics', 'group_by', 'group_by=user'),
    ...['group_buckets=true', 'group_by=build&group_buckets=true', 'group_buckets=maybe'].map(
      (query) => bad('metrics', 'group_buckets', query),
    ),
    bad(
      'metrics',
      'interval',
      `${between('2026-01-01T00:00:00Z', 501)}&interval=1&group_by=model&group_buckets=true`,
    ),
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
export function between(start: string, minutes: number): string {
  const end = new Date(Date.parse(start) + minutes * 60_000)
  return `start_time=${start}&end_time=${end.toISOString()}`
}
