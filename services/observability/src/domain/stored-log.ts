/** A log record with the content of a GenAI operation, in its stored form. */
export interface StoredLog {
  /** 32 lowercase hex digits. */
  readonly traceId: string
  /** 16 lowercase hex digits. */
  readonly spanId: string
  /** The record's own time in nanoseconds since 1970; 0 if it has none. */
  readonly sentNs: bigint
  /** The record's own time, or else when it arrived. */
  readonly timeNs: bigint
  /** The name of its event. */
  readonly name: string
  /** The ids of the conversation and its user; empty if it doesn't name them. */
  readonly sessionId: string
  readonly userId: string
  /** What the user asks in it; empty if it has no message of a user. */
  readonly input: string
  /** What the assistant answers in it. */
  readonly output: string
  /** JSON with its messages, as that of a span; empty if it has none. */
  readonly messages: string
  /** A JSON object; the record's body is one of them. */
  readonly attributes: string
}
