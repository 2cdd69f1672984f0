import type { SpanType } from '../../domain/span.ts'
import { plainText, type Content } from '../messages/message.ts'
import type { SentSpan } from './sent-span.ts'
import type { SentUsage } from './span-facts.ts'

/**
 * How one framework or instrumentation sends its spans. A source reads only the facts that it sends
 * otherwise than the conventions; these are read where the source has no function, or its function
 * finds nothing.
 */
export interface Source extends Partial<FactReaders> {
  /** The names of the scopes whose spans it sends. */
  readonly scopes?: readonly string[]
  /** The attributes that only its spans have. */
  readonly signs: readonly string[]
  /** Whether a span is never the root of a run, but for example that of a program's start. */
  readonly isNoRun?: (span: SentSpan) => boolean
}

/**
 * A source returns this as the input or output of a span whose attributes have no message of a user
 * or an assistant. Then the conventions aren't read.
 */
export const NO_CONTENT: Content = plainText('')

/** The functions that read the facts of a span. Texts may be of any length. */
export interface FactReaders {
  readonly type: (span: SentSpan) => SpanType
  readonly provider: (span: SentSpan) => string
  readonly model: (span: SentSpan) => string
  /** What the user asked. Not called for tools. */
  readonly input: (span: SentSpan) => Content
  /** What the assistant answered. Not called for tools. */
  readonly output: (span: SentSpan) => Content
  readonly toolName: (span: SentSpan) => string
  readonly toolArguments: (span: SentSpan) => string
  readonly toolResult: (span: SentSpan) => string
  /** Undefined if the span doesn't report tokens. */
  readonly usage: (span: SentSpan, type: SpanType) => SentUsage | undefined
  readonly responseId: (span: SentSpan) => string
  readonly sessionId: (span: SentSpan) => string
  readonly userId: (span: SentSpan) => string
  readonly isError: (span: SentSpan, type: SpanType) => boolean
  /** Why a model ended its response. */
  readonly finishReason: (span: SentSpan) => string
  /** How long the first token took, in nanoseconds; undefined if the span doesn't say it. */
  readonly firstTokenNs: (span: SentSpan) => bigint | undefined
  /** The cost in billionths of a US dollar; undefined if the span doesn't report it. */
  readonly costNanoUsd: (span: SentSpan) => bigint | undefined
}

/** The fact readers whose result is text. */
export type TextFact = {
  [Fact in keyof FactReaders]: FactReaders[Fact] extends (span: SentSpan) => string ? Fact : never
}[keyof FactReaders]
