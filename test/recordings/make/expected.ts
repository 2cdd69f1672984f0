import type { Expected, ExpectedTrace, LedgerEntry } from '@slipway/testing/recordings'
import { answerOf, type Scenario, type Turn } from './scenario.ts'
import type { SenderCase } from './sender.ts'

/** Works out what must be shown from what the program did and what was billed, not from spans. */
export function expectedOf(
  scenario: Scenario,
  bills: readonly LedgerEntry[],
  { expected = {}, notSent = {} }: SenderCase,
): Expected {
  const traces = scenario.turns.map((turn, index) => ({
    ...expectedTrace(
      scenario,
      turn,
      bills.filter((bill) => bill.turn === index),
    ),
    ...expected,
  }))
  return { traces, not_sent: notSent }
}

function expectedTrace(
  scenario: Scenario,
  turn: Turn,
  bills: readonly LedgerEntry[],
): ExpectedTrace {
  const refusal = turn.replies.find((reply) => 'refusal' in reply)?.refusal ?? ''
  const failedTools = turn.tools.filter(({ error }) => error !== undefined)
  const sum = (field: `${'input' | 'output' | 'cached' | 'reasoning'}_tokens`) =>
    bills.reduce((total, bill) => total + bill[field], 0)
  return {
    input: turn.text,
    output: answerOf(turn) ?? '',
    status: refusal === '' ? 'ok' : 'error',
    status_message: refusal,
    failures: failedTools.length + (refusal === '' ? 0 : 1),
    models: [...new Set(bills.map(({ model }) => model))],
    model_calls: bills.length,
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cached_tokens: sum('cached_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
    tools: turn.tools.map(({ name, arguments: args, result = '', error = '' }) => ({
      name,
      arguments: JSON.stringify(args),
      result,
      error,
    })),
    session_id: scenario.sessionId ?? '',
    user_id: scenario.userId ?? '',
    kinds: turn.tools.length > 0 ? ['model', 'tool'] : ['model'],
  }
}
