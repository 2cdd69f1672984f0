import type { Engine } from '@slipway/observability/store/engine'

/** Agents among which the traces are spread evenly. */
export const AGENTS = 50
/** Traces of all agents in a day. */
export const TRACES_PER_DAY = 2_000_000 / 30

const SPANS_PER_TRACE = 5
const BATCH = 100_000

/** The account and name of an agent of the bench. */
export function agentOf(index: number): { accountId: string; agent: string } {
  return { accountId: `account-${index % 10}`, agent: `agent-${index}` }
}

/**
 * Stores the traces `from` to `to`, of which trace 0 is the newest: five spans each, of which one
 * is the root and two call a model; the parent of one came in another request. Made in the engine:
 * it is reading that is measured then.
 */
export async function fill(
  engine: Engine,
  from: number,
  to: number,
  newestMs: number,
): Promise<void> {
  for (let first = from; first < to; first += BATCH) {
    const traces = Math.min(BATCH, to - first)
    await engine.command(`
      INSERT INTO spans (account_id, agent, start_time, trace_hex, span_hex, parent_hex, version, root_rank, duration_ns,
        is_error, kind, input_tokens, output_tokens, deployment_id, build_id, model, name, input, output, attributes, events)
      SELECT concat('account-', toString(trace % 10)), concat('agent-', toString(trace % ${AGENTS})),
        fromUnixTimestamp64Milli(toInt64(${newestMs} - trace * ${86_400_000 / TRACES_PER_DAY} + span), 'UTC'),
        hex(MD5(toString(trace))), leftPad(hex(cityHash64(trace, span)), 16, '0'),
        if(span = 0, '', leftPad(hex(cityHash64(trace, 0)), 16, '0')), 1,
        multiIf(span = 0, 0, span = 1, 2, 3), cityHash64(trace, span, 1) % 5000000000, cityHash64(trace, span, 2) % 20 = 0, 1,
        if(span >= 3, cityHash64(trace, span, 3) % 2000, 0), if(span >= 3, cityHash64(trace, span, 4) % 500, 0),
        'deployment', concat('build-', toString(intDiv(trace, 500000))), if(span >= 3, 'model-1', ''),
        concat('operation ', toString(span)),
        if(span = 0, concat('question ', toString(trace), repeat(' lorem', 20)), ''),
        if(span = 0, concat('answer ', toString(trace), repeat(' ipsum', 30)), ''),
        concat('{"http.request.method":"POST","x":"', hex(cityHash64(trace, span)), '"}'), '[]'
      FROM (
        SELECT ${first} + intDiv(number, ${SPANS_PER_TRACE}) AS trace, number % ${SPANS_PER_TRACE} AS span
        FROM numbers(${traces * SPANS_PER_TRACE})
      )`)
  }
}

const ROW = `trace_id, span_id, parent_span_id, root_rank, duration_ns, is_error, kind, input_tokens, output_tokens,
  account_id, agent, deployment_id, build_id, model, name, status_message, input, output, attributes, events`

/**
 * Stores root spans again, as senders do that missed an answer: of every 500th trace the same one,
 * and of every 5000th one that began a millisecond later, which no merge will put together with the
 * first.
 */
export async function resend(engine: Engine): Promise<void> {
  for (const [start, share] of [
    ['start_time', 'cityHash64(trace_id) % 500 = 0'],
    ['start_time + toIntervalMillisecond(1)', 'cityHash64(trace_id) % 5000 = 1'],
  ]) {
    await engine.command(`
      INSERT INTO spans (start_time, version, ${ROW})
      SELECT ${start}, version + 1, ${ROW} FROM spans WHERE root_rank = 0 AND ${share}`)
  }
}

/**
 * Merges the weeks that were over a day ago, as the engine does by itself when a day has gone by
 * without a new span.
 */
export async function settle(engine: Engine): Promise<void> {
  const weeks = await engine.query(
    `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE active AND database = currentDatabase() AND table = 'spans' AND toDate(partition) + 8 <= today()`,
    {},
    { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) },
  )
  for (const week of weeks as { id: string }[])
    await engine.command(`OPTIMIZE TABLE spans PARTITION ID '${week.id}' FINAL`)
}
