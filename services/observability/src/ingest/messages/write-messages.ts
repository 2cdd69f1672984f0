import type { SpanMessage } from '../../domain/span-messages.ts'
import { cutToBytes } from '../../domain/text.ts'
import type { Content, Message } from './message.ts'
import { withoutDataUrls } from './without-data-urls.ts'

/** The bounds of the messages that are stored with a span. */
export const MESSAGE_LIMITS = {
  /** The JSON of all messages. */
  totalBytes: 32 * 1024,
  /** The JSON of the messages that came out. */
  outputBytes: 16 * 1024,
  /** All texts of one message. */
  messageBytes: 8 * 1024,
  /** The messages of each direction. */
  count: 256,
  /** The calls, and the results, of one message. */
  callCount: 32,
  /** The id of a call. */
  callIdBytes: 128,
} as const

/** A last message whose JSON is too long is truncated to this: escaped, it fits in any case. */
const SHORT_MESSAGE_BYTES = 1024

/**
 * Writes the messages of a span as JSON within MESSAGE_LIMITS: the last ones of each direction. A
 * direction is left out if its only message is the stored text, so most JSON is empty.
 */
export function writeMessages(input: Content, output: Content): string {
  const members: string[] = []
  let left: number = MESSAGE_LIMITS.totalBytes
  const add = (name: string, content: Content, role: Message['role'], maxBytes: number) => {
    if (isText(content, role)) return
    const { json, omitted } = lastMessages(content.messages, maxBytes)
    members.push(`"${name}":${json}`)
    if (omitted > 0) members.push(`"omitted_${name}":${omitted}`)
    left -= Buffer.byteLength(json)
  }
  add('output', output, 'assistant', MESSAGE_LIMITS.outputBytes)
  add('input', input, 'user', left)
  return members.length === 0 ? '' : `{${members.join(',')}}`
}

/** Whether the messages say nothing but the text. */
function isText({ text, messages }: Content, role: Message['role']): boolean {
  const [first] = messages
  if (first === undefined) return true
  if (messages.length > 1 || first.calls.length > 0 || first.results.length > 0) return false
  return first.role === role && first.text === text
}

function lastMessages(messages: readonly Message[], maxBytes: number) {
  const kept: string[] = []
  let left = maxBytes - 2
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    if (message === undefined || kept.length === MESSAGE_LIMITS.count) break
    let json = toJson(message, MESSAGE_LIMITS.messageBytes)
    if (kept.length === 0 && Buffer.byteLength(json) >= left)
      json = toJson(message, SHORT_MESSAGE_BYTES)
    left -= Buffer.byteLength(json) + 1
    if (left < 0) break
    kept.push(json)
  }
  return { json: `[${kept.toReversed().join(',')}]`, omitted: messages.length - kept.length }
}

function toJson({ role, text, calls, results }: Message, maxBytes: number): string {
  let left = maxBytes
  let isTruncated =
    calls.length > MESSAGE_LIMITS.callCount || results.length > MESSAGE_LIMITS.callCount
  const fit = (sent: string) => {
    const whole = withoutDataUrls(sent)
    const kept = cutToBytes(whole, left)
    left -= Buffer.byteLength(kept)
    if (kept.length < whole.length) isTruncated = true
    return kept
  }
  // The text of a tool's message is its result.
  const hasText = text !== '' && text !== results[0]?.text
  const idOf = (id: string) => fit(cutToBytes(id, MESSAGE_LIMITS.callIdBytes))
  const keptResults = results.slice(0, MESSAGE_LIMITS.callCount)
  const message = {
    role,
    ...(hasText ? { text: fit(text) } : {}),
    ...(calls.length === 0
      ? {}
      : {
          calls: calls.slice(0, MESSAGE_LIMITS.callCount).map(({ id, name, arguments: given }) => ({
            ...(id === '' ? {} : { id: idOf(id) }),
            name: fit(name),
            arguments: fit(given),
          })),
        }),
    ...(results.some(({ callId }) => callId !== '')
      ? { result_ids: keptResults.map(({ callId }) => idOf(callId)) }
      : {}),
    ...(results.length === 0 ? {} : { results: keptResults.map((result) => fit(result.text)) }),
  }
  const stored: SpanMessage = isTruncated ? { ...message, is_truncated: true } : message
  return JSON.stringify(stored)
}
