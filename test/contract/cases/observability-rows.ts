/** The rows of the observability routes; nothing is deployed. */
export function observabilityRows<Expected>(
  params: Readonly<Record<string, string>>,
  ofList: Expected,
  ofSingle: Expected,
) {
  const route = (rest: string) => `GET /agents/{account}/{name}/observability/${rest}`
  const lists = ['traces', 'traces/export', 'sessions', 'metrics', 'summary']
  return [
    ...lists.map((rest) => ({ route: route(rest), params, expected: ofList })),
    ...['traces/{trace_id}', 'traces/{trace_id}/export'].map((rest) => ({
      route: route(rest),
      params: { ...params, trace_id: '0'.repeat(31) + '1' },
      expected: ofSingle,
    })),
    {
      route: route('sessions/{session_id}'),
      params: { ...params, session_id: 's' },
      expected: ofSingle,
    },
  ]
}
