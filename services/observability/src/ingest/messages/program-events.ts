import { anyAttribute } from '../decode/attribute-value.ts'
import type { SpanEvent } from './span-event.ts'
import type { Message } from './message.ts'
import type { Direction } from './read-messages.ts'

/** The scope of Claude Code's log records. The names of their events are not those of others. */
const CLAUDE_CODE = 'com.anthropic.claude_code.events'
const CLAUDE_CODE_ANSWER = 'claude_code.assistant_response'

/** The events of programs that name them as they like, and the attributes with their texts. */
const TEXTS: ReadonlyMap<string, Readonly<Partial<Record<Direction, string>>>> = new Map([
  [CLAUDE_CODE_ANSWER, { output: 'response' }],
  ['codex.user_prompt', { input: 'prompt' }],
  ['codex.agent_response', { output: 'response' }],
  ['codex.tool_result', { input: 'arguments', output: 'output' }],
])

/** What Claude Code sends in place of content, unless a setting says otherwise. */
export const REDACTED = '<REDACTED>'
/** The same of Codex. */
const CODEX_REDACTED = '[REDACTED]'

/** The line before what a tool of Codex has returned. */
const CODEX_HEADING = /^Wall time: [\d.]+ seconds\nOutput:\n/

/** Returns the name under which a program's event is stored; undefined if it has no texts. */
export function programEventOf(name: string, scope: string): string | undefined {
  const own = scope === CLAUDE_CODE && name === 'assistant_response' ? CLAUDE_CODE_ANSWER : name
  return TEXTS.has(own) ? own : undefined
}

/** Reads the messages of a program's event; undefined if it is another event. */
export function programMessages(
  { name, attributes }: SpanEvent,
  direction: Direction,
): readonly Message[] | undefined {
  const keys = TEXTS.get(name)
  if (keys === undefined) return undefined
  const key = keys[direction]
  const text = key === undefined ? '' : anyAttribute(attributes, key).replace(CODEX_HEADING, '')
  if (['', REDACTED, CODEX_REDACTED].includes(text)) return []
  const role = direction === 'input' ? 'user' : 'assistant'
  return [{ role, text, calls: [], results: [] }]
}
