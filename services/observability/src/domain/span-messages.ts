/** A message of a conversation, as it is stored with a span. */
export interface SpanMessage {
  /** `user`, `assistant`, `system` or `tool`. */
  readonly role: string
  /** With a placeholder such as `[image/png]` for each part that isn't text. */
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
  /** What tools returned. */
  readonly results?: readonly string[]
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
  const stored = messages === '' ? {} : (JSON.parse(messages) as StoredMessages)
  return {
    input: stored.input ?? (isSpeaker ? messageWith('user', input) : []),
    output: stored.output ?? (isSpeaker ? messageWith('assistant', output) : []),
    omittedInput: stored.omitted_input ?? 0,
    omittedOutput: stored.omitted_output ?? 0,
  }
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
