/** A message of a conversation, as it is stored with a span. */
export interface SpanMessage {
  /** `user`, `assistant`, `system` or `tool`. */
  readonly role: string
  /** With a placeholder such as `[image/png]` for each part that isn't text. */
  readonly text?: string
  readonly calls?: readonly {
    /** Absent if the sender has no id for the call. */
    readonly id?: string
    readonly name: string
    readonly arguments: string
  }[]
  /** What tools returned. */
  readonly results?: readonly string[]
  /** The ids of the calls that the results belong to; absent if no result names its call. */
  readonly result_ids?: readonly string[]
  /** Whether a text is truncated, or calls or results are missing. */
  readonly is_truncated?: true
}

/** The messages that went into a model or an agent, and those that came out. */
export interface SpanMessages {
  readonly input: readonly SpanMessage[]
  readonly output: readonly SpanMessage[]
  /** How many messages precede those of `input` and of `output` in what was sent. */
  readonly omittedInput: number
  readonly omittedOutput: number
}

/** The fields of a span that say what its messages are. */
interface Span {
  readonly type: string
  readonly input: string
  readonly output: string
  /** As written by `ingest/messages/write-messages.ts`. */
  readonly messages: string
}

/**
 * Returns the messages of a model or an agent. A direction without stored messages has only one,
 * the input or the output itself. Other spans have no messages.
 */
export function messagesOf({ type, input, output, messages }: Span): SpanMessages {
  const isSpeaker = type === 'model' || type === 'agent'
  const stored = messages === '' || !isSpeaker ? {} : (JSON.parse(messages) as StoredMessages)
  return {
    input: stored.input ?? (isSpeaker ? messageWith('user', input) : []),
    output: stored.output ?? (isSpeaker ? messageWith('assistant', output) : []),
    omittedInput: stored.omitted_input ?? 0,
    omittedOutput: stored.omitted_output ?? 0,
  }
}

/** The size of the messages that a span takes from log records. */
const MAX_LENT_LENGTH = 32 * 1024

/**
 * Merges the messages of the log records of a span, in their order: those of the last record with
 * what went in and what came out, or else all of them. Keeps the last ones of too many.
 */
export function mergeMessages(records: readonly string[]): string {
  const stored = records.filter((json) => json !== '')
  if (stored.length <= 1) return stored[0] ?? ''
  const parsed = stored.map((json) => JSON.parse(json) as StoredMessages)
  const whole = parsed.findLastIndex(({ input, output }) => input && output)
  if (whole >= 0) return stored[whole] ?? ''
  let left = MAX_LENT_LENGTH
  const lastOf = (messages: readonly SpanMessage[]) => {
    const first = messages.findLastIndex((message) => {
      left -= JSON.stringify(message).length
      return left < 0
    })
    return { kept: messages.slice(first + 1), omitted: first + 1 }
  }
  const output = lastOf(parsed.flatMap((each) => each.output ?? []))
  const input = lastOf(parsed.flatMap((each) => each.input ?? []))
  return JSON.stringify({
    ...(output.kept.length > 0 && { output: output.kept, omitted_output: output.omitted }),
    ...(input.kept.length > 0 && { input: input.kept, omitted_input: input.omitted }),
  } satisfies StoredMessages)
}

/** The form in which messages are stored. */
interface StoredMessages {
  readonly input?: readonly SpanMessage[]
  readonly output?: readonly SpanMessage[]
  readonly omitted_input?: number
  readonly omitted_output?: number
}

function messageWith(role: string, text: string): readonly SpanMessage[] {
  return text === '' ? [] : [{ role, text }]
}
