import { HUGE_TOKENS, SESSION, type ObservedWorld } from './trace-fixture.ts'

/** The metrics of both traces of an observed world, and of no traces. */
export const BOTH_TRACES = {
  avg_latency_ms: 30,
  p50_latency_ms: 20,
  p95_latency_ms: 40,
  p99_latency_ms: 40,
  input_tokens: Number(HUGE_TOKENS),
  output_tokens: 0,
  cached_tokens: 0,
  error_count: 1,
}
export const NO_TRACES = Object.fromEntries(Object.keys(BOTH_TRACES).map((name) => [name, 0]))

/** The traces of an observed world, as lists and single traces show them. */
export function answersOf(world: ObservedWorld) {
  const good = {
    trace_id: world.good,
    name: 'good',
    status: 'ok',
    latency_ms: 20,
    input: 'the question',
    output: 'the answer',
    timestamp: new Date(world.startMs + 100).toISOString(),
  }
  const failed = {
    trace_id: world.failed,
    name: 'failed',
    status: 'error',
    latency_ms: 40,
    input: '',
    output: '',
    timestamp: new Date(world.startMs + 200).toISOString(),
  }
  const facts = { output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, build_id: 'b2' }
  const listedGood = {
    ...good,
    ...facts,
    session_id: SESSION,
    models: ['m-1'],
    input_tokens: Number(HUGE_TOKENS),
    span_count: 1,
    error_span_count: 0,
  }
  const listedFailed = {
    ...failed,
    ...facts,
    models: [],
    input_tokens: 0,
    span_count: 1,
    error_span_count: 1,
  }
  return { good, listedGood, listedFailed }
}
