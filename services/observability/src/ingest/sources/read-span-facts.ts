import { cutToBytes } from '../../domain/text.ts'
import { EMPTY_CONTENT, isEmpty, type Content } from '../messages/message.ts'
import { withoutDataUrls } from '../messages/without-data-urls.ts'
import { writeMessages } from '../messages/write-messages.ts'
import { ag2 } from './ag2.ts'
import { agentFramework } from './agent-framework.ts'
import { agno } from './agno.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { completeUsage } from './complete-usage.ts'
import { conventions } from './conventions.ts'
import { crewAi } from './crewai.ts'
import { geminiCli } from './gemini-cli.ts'
import { genkit } from './genkit.ts'
import { googleAdk } from './google-adk.ts'
import { laminar } from './laminar.ts'
import { langchainJs } from './langchain-js.ts'
import { langSmith } from './langsmith.ts'
import { langfuse } from './langfuse.ts'
import { liteLlm } from './litellm.ts'
import { llamaIndex } from './llama-index.ts'
import { logfire } from './logfire.ts'
import { mastra } from './mastra.ts'
import { mlflow } from './mlflow.ts'
import { openAiAgents } from './openai-agents.ts'
import { openInference } from './openinference.ts'
import { openLlmetryBedrock } from './openllmetry-bedrock.ts'
import { openLlmetryCrewAi } from './openllmetry-crewai.ts'
import { openLlmetryJs } from './openllmetry-js.ts'
import { openLlmetryLlamaIndex } from './openllmetry-llama-index.ts'
import { openLlmetry } from './openllmetry.ts'
import { pydanticAi } from './pydantic-ai.ts'
import type { SentSpan } from './sent-span.ts'
import { NO_CONTENT, type Source, type TextFact } from './source.ts'
import type { SpanFacts, Usage } from './span-facts.ts'
import { NO_USAGE, usageOf } from './usage.ts'
import { smolagents } from './smolagents.ts'
import { strands } from './strands.ts'
import { vercelAi } from './vercel-ai.ts'
import { voltAgent } from './voltagent.ts'
import { withoutTraceback } from './without-traceback.ts'

/**
 * The sources of spans: of those that a span shows, the first one reads it. To add a source, write
 * a file like these, add it here, and record what it sends in `test/recordings`.
 */
const SOURCES: readonly Source[] = [
  langfuse,
  crewAi,
  llamaIndex,
  langchainJs,
  smolagents,
  openAiAgents,
  agno,
  openInference,
  vercelAi,
  langSmith,
  pydanticAi,
  googleAdk,
  mastra,
  genkit,
  ag2,
  agentFramework,
  voltAgent,
  mlflow,
  strands,
  laminar,
  claudeCode,
  codex,
  geminiCli,
  liteLlm,
  logfire,
  openLlmetryBedrock,
  openLlmetryCrewAi,
  openLlmetryLlamaIndex,
  openLlmetryJs,
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
export const MAX_NAME_BYTES = 256
const MAX_STATUS_BYTES = 512

/** The types of spans whose messages are stored. */
const SPEAKERS: ReadonlySet<string> = new Set(['model', 'agent'])

/** Reads what a span shows about the run of an agent. Never throws. */
export function readSpanFacts(span: SentSpan): SpanFacts {
  const source = sourceOf(span)
  const text = (fact: TextFact) => source[fact]?.(span) || conventions[fact](span)
  const name = (fact: TextFact) => cutToBytes(text(fact), MAX_NAME_BYTES)
  const type = source.type?.(span) || conventions.type(span)
  const [provider, model] = [name('provider'), name('model')]
  const isTool = type === 'tool'
  const isKnown = type !== ''
  const amount = (fact: 'costNanoUsd' | 'firstTokenNs') =>
    isKnown ? (source[fact]?.(span) ?? conventions[fact](span) ?? 0n) : 0n
  const content = (fact: 'input' | 'output') =>
    isTool ? EMPTY_CONTENT : contentIn(source, span, fact)
  const [sent, returned] = [content('input'), content('output')]
  const input = shorten(isTool ? text('toolArguments') : sent.text)
  const output = shorten(isTool ? text('toolResult') : returned.text)
  const isError =
    (source.isError ?? conventions.isError)(span, type) || (output === '' && hasRaised(span))
  const message = span.statusMessage || (isError ? (span.exception ?? '') : '')
  return {
    type,
    provider,
    model,
    input,
    output,
    toolName: isTool ? name('toolName') : '',
    usage: usageIn(source, span, { type, provider, model }),
    costNanoUsd: amount('costNanoUsd'),
    firstTokenNs: amount('firstTokenNs'),
    finishReason: isKnown ? name('finishReason') : '',
    messages: SPEAKERS.has(type) ? writeMessages(sent, returned) : '',
    responseId: name('responseId'),
    sessionId: name('sessionId'),
    userId: name('userId'),
    isError,
    statusMessage: cutToBytes(withoutTraceback(message), MAX_STATUS_BYTES),
    isNoRun: source.isNoRun?.(span) ?? false,
  }
}

/**
 * Whether a span ended with an exception, although its status says nothing. SDKs also say of those
 * that escaped that they didn't, so only an output shows that it was handled. HTTP servers respond
 * to their callers in spite of exceptions.
 */
function hasRaised(span: SentSpan): boolean {
  const isHttp = span.has('http.request.method') || span.has('http.method')
  return !span.hasOkStatus && !isHttp && span.exception !== undefined
}

/** A span that reports no tokens may report a cost, which is also that of a call or a total. */
function usageIn(
  source: Source,
  span: SentSpan,
  { type, provider, model }: Pick<SpanFacts, 'type' | 'provider' | 'model'>,
): Usage {
  const usage = source.usage?.(span, type) ?? conventions.usage(span, type)
  return usage === undefined ? NONE[usageOf(type)] : completeUsage(usage, provider, model)
}

const NONE = { call: { ...NO_USAGE, of: 'call' }, total: NO_USAGE } as const

/** Reads an input or output. Messages without its text are better than nothing. */
function contentIn(source: Source, span: SentSpan, fact: 'input' | 'output'): Content {
  const own = source[fact]?.(span)
  if (own === NO_CONTENT || (own !== undefined && own.text !== '')) return own
  const usual = conventions[fact](span)
  return own === undefined || usual.text !== '' || isEmpty(own) ? usual : own
}

function shorten(text: string): string {
  return cutToBytes(withoutDataUrls(text), MAX_TEXT_BYTES)
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
