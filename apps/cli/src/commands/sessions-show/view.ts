import type { Schemas } from '@slipway/client'

import {
  columnsOf,
  fields,
  hint,
  lines,
  table,
  type Block,
  type Cell,
} from '../../output/blocks.ts'
import { compact, dollars } from '../../output/numbers.ts'
import { ago, millis } from '../../output/times.ts'
import { wrap } from '../../output/wrap.ts'
import { shortTraceId, statusCell } from '../../traces/cells.ts'

type Session = Schemas['Session']
type Turn = Schemas['TraceEntry']

/** The lines of a text that are shown, unless the user wants all. */
const MOST_LINES = 6

/** A session for a terminal: its totals, and what was said. */
export function viewSession(session: Session, columns: number, isFull: boolean): readonly Block[] {
  const { session_id: id, turns, turn_count: count, user_id: user, cost_usd: cost } = session
  const { error_count: errors, input_tokens: sent, output_tokens: received } = session
  return [
    lines(...wrap(id, columns).map((text) => ({ text, style: 'strong' as const }))),
    fields({
      user,
      turns: compact(count).text,
      errors: errors === 0 ? undefined : { text: compact(errors).text, style: 'bad' },
      first: ago(session.first_timestamp).text,
      last: ago(session.last_timestamp).text,
      tokens: `${compact(sent).text} in, ${compact(received).text} out`,
      cost: cost === undefined ? undefined : dollars(cost).text,
    }),
    ...turns.map((turn) => turnBlock(turn, columns, isFull ? Infinity : MOST_LINES)),
    ...(turns.length < count
      ? [hint(`${turns.length} of ${count} turns; --limit shows more`)]
      : []),
    ...(session.tokens_estimated ? [hint('some tokens may be counted twice')] : []),
    hint('next: slipway traces show TRACE'),
  ]
}

function turnBlock(turn: Turn, columns: number, mostLines: number): Block {
  const tokens = turn.input_tokens + turn.output_tokens
  const facts = [
    shortTraceId(turn.trace_id),
    millis(turn.latency_ms),
    tokens === 0 ? '' : `${compact(tokens).text} tokens`,
    turn.cost_usd === undefined ? '' : dollars(turn.cost_usd).text,
  ].filter((fact) => fact !== '')
  return lines(
    [statusCell(turn.status), { text: ` ${facts.join('  ')}`, style: 'faint' }],
    ...said('→', turn.input, columns, mostLines),
    ...said('←', turn.output, columns, mostLines),
  )
}

/** A text behind its sign. Only the first lines of a long one. */
function said(sign: string, text: string, columns: number, mostLines: number): Cell[] {
  if (text === '') return []
  const all = wrap(text, columns - 2)
  const rest = all.length - mostLines
  const shown = all.slice(0, mostLines).map((line, at) => `${at === 0 ? sign : ' '} ${line}`)
  return rest > 0
    ? [...shown, { text: `  … ${rest} more; --full shows all`, style: 'faint' }]
    : shown
}

const PLAIN_TITLES = 'STATUS TRACE STARTED TOOK_MS INPUT_TOKENS OUTPUT_TOKENS COST_USD INPUT OUTPUT'

/** A row for each turn, for a pipe. */
export function viewPlain({ turns }: Session): readonly Block[] {
  const rows = turns.map((turn) => [
    turn.status,
    turn.trace_id,
    turn.timestamp,
    String(turn.latency_ms),
    String(turn.input_tokens),
    String(turn.output_tokens),
    String(turn.cost_usd ?? ''),
    turn.input,
    turn.output,
  ])
  return [table({ columns: columnsOf(PLAIN_TITLES), rows, empty: '' })]
}
