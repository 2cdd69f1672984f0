import type { SpanType } from '../../domain/span.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import { readUsage, type UsageKeys } from './usage.ts'

/** The tokens of a turn. */
const TURN = 'codex.turn.token_usage'

/**
 * Codex CLI. It has spans of its functions. Three of them show a run: the turn, with its model and
 * the sum of its tokens; each request, whose tokens are in the span of its last event; and each
 * call of a tool. What was said is in log records.
 * https://developers.openai.com/codex/config-advanced
 */
export const codex: Source = {
  scopes: ['codex_exec', 'codex_cli_rs', 'codex-tui', 'codex_vscode', 'codex_app_server'],
  signs: [`${TURN}.total_tokens`, 'codex.usage.total_tokens'],
  type: typeOf,
  model: (span) => (typeOf(span) === '' ? '' : span.text('model')),
  toolName: (span) => toolEventText(span, 'tool_name'),
  usage: (span) =>
    span.has(`${TURN}.input_tokens`)
      ? readUsage(span, 'total', TURN_USAGE)
      : readUsage(span, 'call', CALL_USAGE),
  sessionId: (span) => (typeOf(span) === 'agent' ? span.text('thread.id', 'conversation.id') : ''),
  isNoRun: (span) => {
    const method = span.text('rpc.method')
    if (method !== '') return !RUN_METHODS.test(method)
    // Earlier versions may have their turns inside of those that name neither.
    const namesTurn = span.has('turn.id') || span.has('thread_id')
    return INNER_MODULES.test(span.text('code.module.name')) || namesTurn || START_UP.has(span.name)
  },
  isError: (span, type) =>
    span.hasErrorStatus || (type === 'tool' && toolEventText(span, 'success') === 'false'),
}

/** The requests to its server in which a model is asked. */
const RUN_METHODS = /^(turn|review)\//
/** Its modules without those of sessions and of the program. */
const INNER_MODULES = /^codex_(?!core::|exec$|exec::|tui|cli)/
const START_UP: ReadonlySet<string> = new Set(['session.flush_rollout', 'thread_spawn'])

function typeOf(span: SentSpan): SpanType {
  if (span.name === 'try_run_sampling_request') return 'model'
  if (span.name === 'dispatch_tool_call_with_state') return 'tool'
  return span.name.startsWith('session_task.') && span.has('model') ? 'agent' : ''
}

/** The names of events are places in its sources. */
function toolEventText(span: SentSpan, key: string): string {
  return span.markedEventText('event.name', 'codex.tool_result', key)
}

const TURN_USAGE: UsageKeys = {
  input: [`${TURN}.input_tokens`],
  output: [`${TURN}.output_tokens`],
  cached: [`${TURN}.cached_input_tokens`],
  cacheWritten: [`${TURN}.cache_write_input_tokens`],
  reasoning: [`${TURN}.reasoning_output_tokens`],
  total: [`${TURN}.total_tokens`],
}

const CALL_USAGE: UsageKeys = {
  input: ['gen_ai.usage.input_tokens'],
  output: ['gen_ai.usage.output_tokens'],
  cached: ['gen_ai.usage.cache_read.input_tokens'],
  cacheWritten: ['gen_ai.usage.cache_write.input_tokens'],
  reasoning: ['codex.usage.reasoning_output_tokens'],
  total: ['codex.usage.total_tokens'],
}
