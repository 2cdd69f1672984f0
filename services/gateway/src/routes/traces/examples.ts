const START = '2026-11-20T09:10:00.000Z'
const time_range = { start: '2026-11-20T09:00:00.000Z', end: '2026-11-20T10:00:00.000Z' }

const entry = {
  trace_id: 'ab1d801ad96c411622744ca0288bb5a7',
  name: 'answer',
  status: 'ok',
  latency_ms: 4.4,
  input: 'How do I share a folder with somebody?',
  output: 'Select the folder and choose "Share".',
  timestamp: START,
}

const facts = {
  session_id: 'chat-4711',
  user_id: 'user-42',
  models: ['llama3'],
  input_tokens: 12,
  output_tokens: 9,
  cached_tokens: 0,
  reasoning_tokens: 0,
  span_count: 1,
  error_span_count: 0,
  build_id: 'b1a4dac0d2f4',
}

export const traceListExample = {
  traces: [{ ...entry, ...facts }],
  total: 1,
  limit: 50,
  offset: 0,
}

const session = {
  session_id: facts.session_id,
  first_timestamp: START,
  last_timestamp: START,
  turn_count: 1,
  error_count: 0,
  input_tokens: 12,
  output_tokens: 9,
  user_id: facts.user_id,
  input: entry.input,
  output: entry.output,
}

export const sessionListExample = {
  sessions: [session],
  tokens_estimated: false,
  total: 1,
  limit: 50,
  offset: 0,
}

export const sessionExample = {
  ...session,
  turns: [{ ...entry, ...facts }],
  tokens_estimated: false,
  limit: 50,
  offset: 0,
}

export const traceExample = {
  ...entry,
  span_count: 1,
  error_span_count: 0,
  truncated: false,
  input_tokens: 12,
  output_tokens: 9,
  cached_tokens: 4,
  reasoning_tokens: 0,
  cost_usd: 0.000018,
  cost_source: 'prices',
  models: ['gpt-4.1-mini'],
  session_id: 'chat-17',
  spans: [
    {
      span_id: '5e0c63257de34c92',
      name: 'answer',
      kind: 'server',
      status: 'ok',
      timestamp: START,
      latency_ms: 4.4,
      input: entry.input,
      output: entry.output,
      type: 'model',
      model: 'gpt-4.1-mini',
      provider: 'openai',
      finish_reason: 'stop',
      session_id: 'chat-17',
      scope: 'opentelemetry.instrumentation.openai_v2',
      input_tokens: 12,
      output_tokens: 9,
      cached_tokens: 4,
      cache_written_tokens: 0,
      reasoning_tokens: 0,
      total_input_tokens: 0,
      total_output_tokens: 0,
      time_to_first_token_ms: 1.8,
      cost_usd: 0.000018,
      cost_source: 'prices',
      input_messages: [
        { role: 'system', text: 'Answer in one sentence.' },
        { role: 'user', text: entry.input },
      ],
      output_messages: [{ role: 'assistant', text: entry.output }],
      omitted_input_messages: 0,
      omitted_output_messages: 0,
      build_id: 'b1a4dac0d2f4',
      attributes: { 'gen_ai.request.model': 'gpt-4.1-mini' },
      events: [],
      children: [],
    },
  ],
}

export const otlpExample = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: entry.trace_id,
              spanId: '5e0c63257de34c92',
              name: 'answer',
              kind: 2,
              startTimeUnixNano: '1795165800000000000',
              endTimeUnixNano: '1795165800004400000',
              attributes: [{ key: 'gen_ai.request.model', value: { stringValue: 'gpt-4.1-mini' } }],
            },
          ],
        },
      ],
    },
  ],
}

const totals = {
  avg_latency_ms: 4.4,
  p50_latency_ms: 4.4,
  p95_latency_ms: 4.4,
  p99_latency_ms: 4.4,
  input_tokens: 12,
  output_tokens: 9,
  cached_tokens: 0,
  error_count: 0,
}

export const metricsExample = {
  buckets: [{ timestamp: time_range.start, trace_count: 1, ...totals }],
  groups: [
    {
      name: 'llama3',
      request_count: 1,
      ...totals,
      buckets: [
        { timestamp: time_range.start, request_count: 1, input_tokens: 12, output_tokens: 9 },
      ],
    },
  ],
  new_builds: [{ build_id: facts.build_id, timestamp: START }],
  tokens_estimated: false,
  time_range,
  interval_minutes: 60,
}

export const summaryExample = {
  total_traces: 1,
  time_range,
  metrics: {
    ...totals,
    total_tokens: 21,
    tokens_estimated: false,
    error_rate: 0,
    traces_per_hour: 1,
  },
}
