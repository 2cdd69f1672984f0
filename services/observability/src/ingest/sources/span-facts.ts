import type { SpanType } from '../../domain/span.ts'

export interface Usage {
  /** Whether they are those of one call to a model, or the total of calls in other spans. */
  readonly of: 'call' | 'total'
  /** Includes `cachedTokens` and `cacheWrittenTokens`. */
  readonly inputTokens: bigint
  /** Includes `reasoningTokens`. */
  readonly outputTokens: bigint
  /** Input tokens that the provider has read from its cache. */
  readonly cachedTokens: bigint
  /** Input tokens that the provider has written to its cache. */
  readonly cacheWrittenTokens: bigint
  readonly reasoningTokens: bigint
}

/** The tokens as a sender counts them, which may be in one number each. */
export interface SentUsage extends Usage {
  /** All of them; missing or 0 if the sender doesn't say it. */
  readonly totalTokens?: bigint
  /** The numbers in which the sender certainly doesn't include the others. */
  readonly apart?: { readonly input?: boolean; readonly output?: boolean }
}

/** What a span shows about the run of an agent. Facts that the span doesn't have are empty. */
export interface SpanFacts {
  readonly type: SpanType
  readonly provider: string
  readonly model: string
  /** What the user asked; of a tool, its arguments; of a retrieval, its query. */
  readonly input: string
  /** What the assistant answered; of a tool, its result; of a retrieval, its documents. */
  readonly output: string
  readonly toolName: string
  readonly usage: Usage
  /** The cost that the sender reports, in billionths of a US dollar. */
  readonly costNanoUsd: bigint
  /** How long the first token took, in nanoseconds. */
  readonly firstTokenNs: bigint
  /** Why a model ended its response. */
  readonly finishReason: string
  /** JSON with the messages of a model or an agent. */
  readonly messages: string
  /** The provider's id of a model's response. */
  readonly responseId: string
  readonly sessionId: string
  readonly userId: string
  readonly isError: boolean
  readonly statusMessage: string
  /** Whether the span is never the root of a run. */
  readonly isNoRun: boolean
}
