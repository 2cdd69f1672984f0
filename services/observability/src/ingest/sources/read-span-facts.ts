import { cutToBytes } from '../../domain/text.ts'
import { conventions } from './conventions.ts'
import { googleAdk } from './google-adk.ts'
import { langSmith } from './langsmith.ts'
import { langfuse } from './langfuse.ts'
import { mastra } from './mastra.ts'
import { openInference } from './openinference.ts'
import { openLlmetry } from './openllmetry.ts'
import { pydanticAi } from './pydantic-ai.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source, TextFact } from './source.ts'
import type { SpanFacts } from './span-facts.ts'
import { NO_USAGE } from './usage.ts'
import { strands } from './strands.ts'
import { vercelAi } from './vercel-ai.ts'

/**
 * The sources of spans: of those that a span shows, the first one reads it. To add a source, write
 * a file like these, add it here, and record what it sends in `test/recordings`.
 */
const SOURCES: readonly Source[] = [
  langfuse,
  openInference,
  vercelAi,
  langSmith,
  pydanticAi,
  googleAdk,
  mastra,
  strands,
  openLlmetry,
]
/** Sends everything as in the conventions. */
const UNKNOWN: Source = { signs: [] }

/** The places of the sources in the list, by their scopes and by their attributes. */
const BY_SCOPE = indexBy(({ scopes = [] }) => scopes)
const BY_SIGN = indexBy(({ signs }) => signs)

/** Maximum length of a stored input or output. */
export const MAX_TEXT_BYTES = 16 * 1024
/** Maximum length of a stored name or id. */
const MAX_NAME_BYTES = 256
const MAX_STATUS_BYTES = 512

/** Reads what a span shows about the run of an agent. Never throws. */
export function readSpanFacts(span: SentSpan): SpanFacts {
  const source = sourceOf(span)
  const text = (fact: TextFact, maxBytes: number) =>
    cutToBytes(source[fact]?.(span) || conventions[fact](span), maxBytes)
  const type = source.type?.(span) || conventions.type(span)
  const isTool = type === 'tool'
  const isError = (source.isError ?? conventions.isError)(span, type)
  const message = span.statusMessage || (isError ? (span.exception ?? '') : '')
  return {
    type,
    provider: text('provider', MAX_NAME_BYTES),
    model: text('model', MAX_NAME_BYTES),
    input: text(isTool ? 'toolArguments' : 'input', MAX_TEXT_BYTES),
    output: text(isTool ? 'toolResult' : 'output', MAX_TEXT_BYTES),
    toolName: isTool ? text('toolName', MAX_NAME_BYTES) : '',
    usage: source.usage?.(span, type) ?? conventions.usage(span, type) ?? NO_USAGE,
    responseId: text('responseId', MAX_NAME_BYTES),
    sessionId: text('sessionId', MAX_NAME_BYTES),
    userId: text('userId', MAX_NAME_BYTES),
    isError,
    statusMessage: cutToBytes(message, MAX_STATUS_BYTES),
  }
}

function indexBy(keysOf: (source: Source) => readonly string[]): ReadonlyMap<string, number> {
  return new Map(SOURCES.flatMap((source, index) => keysOf(source).map((key) => [key, index])))
}

function sourceOf(span: SentSpan): Source {
  let first = BY_SCOPE.get(span.scope) ?? Infinity
  for (const key of span.keys) {
    const index = BY_SIGN.get(key)
    if (index !== undefined && index < first) first = index
  }
  return SOURCES[first] ?? UNKNOWN
}
