import type { Message, ToolCall } from './message.ts'
import { isRecord } from './plain-json.ts'

/** An element of a list, and the messages in it. */
export interface ListedMessages {
  readonly element: unknown
  readonly messages: readonly Message[]
}

/**
 * Joins the pieces of streamed answers. Some senders list each piece as a message without a reason
 * to end, and then the end of the answer, or all of it, with the reason.
 */
export function joinPieces(listed: readonly ListedMessages[]): readonly Message[] {
  let pieces: Message[] = []
  const joined = listed.flatMap(({ element, messages }) => {
    const reason = isRecord(element) ? element['finish_reason'] : undefined
    if (reason === '') {
      pieces.push(...messages)
      return []
    }
    const before = pieces
    pieces = []
    const [end, ...others] = messages
    if (typeof reason !== 'string' || end === undefined) return [...before, ...messages]
    return [before.length === 0 ? end : joinTo(before, end), ...others]
  })
  return [...joined, ...pieces]
}

function joinTo(pieces: readonly Message[], end: Message): Message {
  const text = pieces.map((piece) => piece.text).join('')
  const isWhole = end.text.startsWith(text)
  const calls = pieces.flatMap((piece) => piece.calls).filter((call) => !isAmong(end.calls, call))
  return { ...end, text: isWhole ? end.text : text + end.text, calls: [...calls, ...end.calls] }
}

function isAmong(calls: readonly ToolCall[], { id, name, arguments: given }: ToolCall): boolean {
  return calls.some((call) => call.id === id && call.name === name && call.arguments === given)
}
