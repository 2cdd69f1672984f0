/** What a framework sent while a program ran, and what must be shown of it. */
export interface Recording {
  /** `<sender>/<case>`. */
  readonly name: string
  /** The packages that sent it, with their versions. */
  readonly packages: Readonly<Record<string, string>>
  /** The settings that the program was run with. */
  readonly settings: Readonly<Record<string, string>>
  /** The hash of the page of the guide that the program is from, if it is. */
  readonly guide_sha256?: string
  /** In the order in which they were sent. */
  readonly requests: readonly RecordedRequest[]
  /** What the model server billed, in this order. */
  readonly ledger: readonly LedgerEntry[]
  readonly expected: Expected
}

/** A request that an exporter sent. */
export interface RecordedRequest {
  readonly path: '/v1/traces' | '/v1/logs' | '/v1/metrics'
  readonly contentType: string
  /** Exactly what was sent, but decompressed. */
  readonly body: Buffer
}

/** A response that the model server billed. */
export interface LedgerEntry {
  readonly id: string
  readonly api: string
  readonly model: string
  /** The turn, and so the expected trace, that it belongs to. */
  readonly turn: number
  /** Includes the cached ones. */
  readonly input_tokens: number
  /** Includes the reasoning ones. */
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly reasoning_tokens: number
  /** Those of the input that were written to a cache; missing if none were. */
  readonly cache_written_tokens?: number
}

/** What a program did, and so what must be shown wherever the sender sends it. */
export interface Expected {
  /** In the order in which they start. */
  readonly traces: readonly ExpectedTrace[]
  /** The fields that the sender doesn't send, with the setting that makes it send them, if any. */
  readonly not_sent: Readonly<Record<string, string>>
}

/** What a program did in one trace. */
export interface ExpectedTrace {
  /** What the user asked. */
  readonly input: string
  /** The agent's answer; empty if it failed. */
  readonly output: string
  /** Whether the run failed. */
  readonly status: 'ok' | 'error'
  /** Occurs in the message of the error; empty if the run didn't fail. */
  readonly status_message: string
  /** How many tools and model calls failed; a failed run has at least one. */
  readonly failures: number
  readonly models: readonly string[]
  readonly model_calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly reasoning_tokens: number
  /** The tools that ran. */
  readonly tools: readonly ExpectedTool[]
  /** Empty if the program sets none. Some libraries make one then. */
  readonly session_id: string
  readonly user_id: string
  /** The kinds of spans that must occur. */
  readonly kinds: readonly SpanKind[]
}

/** A tool that ran. */
export interface ExpectedTool {
  readonly name: string
  /** As JSON. */
  readonly arguments: string
  readonly result: string
  readonly error: string
}

/** What a span stands for. */
export type SpanKind =
  | 'agent'
  | 'model'
  | 'tool'
  | 'retrieval'
  | 'embedding'
  | 'guardrail'
  | 'chain'
