/** The owner of spans, decided by the ingest token and never by the spans' attributes. */
export interface SpanOwner {
  readonly accountId: string
  /** The id of the user who deployed the agent; empty if the deployer doesn't report it. */
  readonly deployedBy: string
  readonly agent: string
  /**
   * The id of the agent; of another account's agent, after the id of that account and `/`. Empty
   * for deployments from before ids were stored.
   */
  readonly agentId: string
  readonly deploymentId: string
  readonly buildId: string
}

/**
 * How likely a span is to be the root of its trace, judged when it arrives. Only `UnknownParent`
 * can become outdated, because the parent may arrive later. `KnownParent` is never the root of a
 * run: its parent is known, or its source says so.
 */
export const RootRank = {
  NoParent: 0,
  RemoteParent: 1,
  UnknownParent: 2,
  KnownParent: 3,
} as const

/** One of RootRank's values. */
export type RootRank = (typeof RootRank)[keyof typeof RootRank]

/** A span in its stored form. */
export interface StoredSpan {
  /** 32 lowercase hex digits. */
  readonly traceId: string
  /** 16 lowercase hex digits. */
  readonly spanId: string
  /** 16 lowercase hex digits; empty if there is no parent. */
  readonly parentSpanId: string
  readonly rootRank: RootRank
  /** Nanoseconds since 1970. */
  readonly startTimeNs: bigint
  readonly durationNs: bigint
  /** How long the first token of a model's response took; 0 if unknown. */
  readonly firstTokenNs: bigint
  readonly name: string
  /** OTLP's number of the kind, 0-5. */
  readonly kind: number
  readonly isError: boolean
  /**
   * Whether its run failed with it: it is an agent that no tool called, or work of a queue.
   */
  readonly isFailedRun: boolean
  readonly statusMessage: string
  readonly type: SpanType
  /** The name of the instrumentation that created the span. */
  readonly scope: string
  readonly input: string
  readonly output: string
  readonly toolName: string
  readonly provider: string
  readonly model: string
  /** The provider's id of a model's response. */
  readonly responseId: string
  readonly sessionId: string
  readonly userId: string
  /** 0 unless the span is a call to a language model. */
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  /** The tokens of calls in other spans that this span repeats; 0 for most spans. */
  readonly totalInputTokens: bigint
  readonly totalOutputTokens: bigint
  /** Part of the input tokens, and of the output tokens. */
  readonly cachedTokens: bigint
  /** Input tokens that the provider has written to its cache. */
  readonly cacheWrittenTokens: bigint
  readonly reasoningTokens: bigint
  /** What the call to a model costs, in billionths of a US dollar; 0 if unknown. */
  readonly costNanoUsd: bigint
  /** The cost of calls in other spans that this span repeats. */
  readonly totalCostNanoUsd: bigint
  readonly costSource: CostSource
  /** Why the model ended its response, in the words of its provider; empty if unknown. */
  readonly finishReason: string
  /** JSON with the messages that went in and out; empty if there are none. */
  readonly messages: string
  /** A JSON object. */
  readonly attributes: string
  /** A JSON array. */
  readonly events: string
}

/** Who says what a span costs; empty if its cost is unknown. */
export type CostSource = 'sender' | 'prices' | 'base_prices' | ''

/**
 * What a span is in the run of an agent. An empty string means that the span doesn't say it, as
 * those of an HTTP server.
 */
export type SpanType =
  | 'agent'
  | 'model'
  | 'tool'
  | 'retrieval'
  | 'embedding'
  | 'guardrail'
  | 'chain'
  | ''
