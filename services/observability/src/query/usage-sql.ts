/** Whether a span reports the tokens of a call, and whether it reports a total. */
const IS_CALL = '(input_tokens > 0 OR output_tokens > 0)'
const IS_TOTAL = '(total_input_tokens > 0 OR total_output_tokens > 0)'
/** The same for costs. */
const HAS_COST = '(cost_nano_usd > 0)'
const HAS_TOTAL_COST = '(total_cost_nano_usd > 0)'
const IS_COUNTED = '(input_tokens > 0 OR output_tokens > 0 OR cost_nano_usd > 0)'
/** A total of a call is that of one which repeats another call in the same request. */
const IS_ANY_CALL = `(${IS_COUNTED}
  OR (${IS_TOTAL} OR ${HAS_TOTAL_COST}) AND type IN ('model', 'embedding'))`
const HAS_RESPONSE = `(${IS_COUNTED} AND response_key != 0)`

/** Whether a span is a call of a model, also if it doesn't report tokens. */
export const IS_MODEL_CALL = `(type IN ('model', 'embedding') OR ${IS_CALL})`

/** The tokens and costs of a span. */
export const USAGE_AMOUNTS = [
  'input_tokens',
  'output_tokens',
  'total_input_tokens',
  'total_output_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost_nano_usd',
  'total_cost_nano_usd',
] as const

/** The columns that the SQL in this file reads, without those of all spans. */
export const USAGE_COLUMNS = ['type', ...USAGE_AMOUNTS, 'response_key'] as const

const sumOf = (column: string, condition: string) => `sumIf(toUInt128(${column}), ${condition})`

/** Sums a column of the calls or, in a trace without calls, one of the totals. */
const sumOnce = (ofCalls: string, ofTotals: string, isCall = IS_CALL, isTotal = IS_TOTAL) =>
  `if(countIf(${isCall}) > 0, ${sumOf(ofCalls, isCall)}, ${sumOf(ofTotals, isTotal)})`

/** Aggregates over the spans of a trace: its usage, which is right unless MISCOUNTS. */
export const REPORTED_USAGE = {
  input_token_sum: sumOnce('input_tokens', 'total_input_tokens'),
  output_token_sum: sumOnce('output_tokens', 'total_output_tokens'),
  cached_token_sum: sumOnce('cached_tokens', 'cached_tokens'),
  reasoning_token_sum: sumOnce('reasoning_tokens', 'reasoning_tokens'),
  cost_sum: sumOnce('cost_nano_usd', 'total_cost_nano_usd', HAS_COST, HAS_TOTAL_COST),
}

/**
 * An aggregate over the spans of a trace: whether REPORTED_USAGE may count tokens twice, because
 * calls have the same response, or a call is inside of another one, or there are several totals.
 */
export const MISCOUNTS = `
  (countIf(${HAS_RESPONSE}) > uniqExactIf(response_key, ${HAS_RESPONSE})
  OR hasAny(
    groupArrayIf(reinterpretAsUInt64(span_id), ${IS_ANY_CALL}),
    groupArrayIf(reinterpretAsUInt64(parent_span_id), ${IS_COUNTED}))
  OR (countIf(${IS_TOTAL}) > 1 AND countIf(${IS_CALL}) = 0)
  OR (countIf(${HAS_TOTAL_COST}) > 1 AND countIf(${HAS_COST}) = 0))`

/** Maximum number of traces whose tokens a query works out one by one. */
export const MAX_RECOUNTED = 1_000

/** The parameters with tokens that were worked out, by the name of the aggregate. */
const RECOUNTED = {
  input_token_sum: 'recountedInput',
  output_token_sum: 'recountedOutput',
  cached_token_sum: 'recountedCached',
  cost_sum: 'recountedCost',
} as const

/** The `trace_tail` of a trace, from its id as a number. */
export const TAIL = 'toUInt32(bitShiftRight(trace, 96))'
const IS_READ = `${TAIL} IN {recountedTails:Array(UInt32)}`
const TRACE_ID = 'lower(hex(reinterpretAsFixedString(trace)))'
/** The place of a trace among those whose tokens were worked out; 0 if it is too large for that. */
const INDEX = `indexOf({recountedTraces:Array(String)}, ${TRACE_ID})`

/** The aggregates of a trace's tokens; those that were worked out have precedence. */
export function tokenSums(hasRecounted: boolean): Readonly<Record<string, string>> {
  const sums = Object.entries(RECOUNTED).map(([name, parameter]) => {
    const reported = REPORTED_USAGE[name as keyof typeof RECOUNTED]
    const counted = `toUInt128OrZero({${parameter}:Array(String)}[${INDEX}])`
    return [
      name,
      hasRecounted ? `if(${IS_READ} AND ${INDEX} > 0, ${counted}, ${reported})` : reported,
    ]
  })
  return Object.fromEntries(sums) as Record<string, string>
}

/** Whether the tokens of a trace may be counted twice and were not worked out. */
export function miscounts(hasRecounted: boolean): string {
  return hasRecounted ? `NOT (${IS_READ}) AND ${MISCOUNTS}` : MISCOUNTS
}
