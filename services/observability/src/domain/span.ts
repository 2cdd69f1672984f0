/** Whose spans they are: decided by the ingest token, never by what the spans say. */
export interface SpanOwner {
  readonly accountId: string
  readonly agent: string
  readonly deploymentId: string
  readonly buildId: string
}

/**
 * What is known, when a span arrives, about its being the root of its trace. Only `UnknownParent`
 * can turn out to be something else: then its parent comes later.
 */
export const RootRank = {
  NoParent: 0,
  RemoteParent: 1,
  UnknownParent: 2,
  KnownParent: 3,
} as const

/** One of RootRank's values. */
export type RootRank = (typeof RootRank)[keyof typeof RootRank]

/** A span as it is stored. */
export interface StoredSpan {
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits. */
  readonly spanId: string
  /** 16 lower-case hex digits; empty when there is no parent. */
  readonly parentSpanId: string
  readonly rootRank: RootRank
  /** Nanoseconds since 1970. */
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  readonly name: string
  /** As OTLP counts them, 0-5. */
  readonly kind: number
  readonly isError: boolean
  readonly statusMessage: string
  readonly input: string
  readonly output: string
  readonly model: string
  /** 0 unless the span is a call of a language model. */
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  /** JSON object. */
  readonly attributes: string
  /** JSON array. */
  readonly events: string
}
