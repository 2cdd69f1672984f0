import { readRecordings, type ExpectedTrace, type LedgerEntry } from '@slipway/testing/recordings'
import { expect, test } from 'vitest'

import type { StoredSpan } from '../domain/span.ts'
import { findRoot, inputOf, outputOf, type TraceSpan } from '../domain/trace-tree.ts'
import { usageOf } from '../domain/trace-usage.ts'
import { builtInPrices } from '../prices/model-prices.ts'
import { loggedTracesIn } from '../../test/support/recorded-traces.ts'
import { SpanJson } from './messages/span-json.ts'

/** What is not shown, by the start of the recordings' names. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  // The sender leaves out the parts of a message with an image.
  'openai-v2/image-span': ['input'],
  // Only the value of a single argument is sent.
  'openinference-langchain/stream-tool': ['tools', 'models'],
  'openinference-langchain/tool': ['tools'],
  'openinference-langchain/tool-error': ['tools'],
  'openinference-langchain/nested': ['tools'],
  'openinference-langchain/guide': ['tools'],
  // The SDK reports the failure to the model; that text is shown as the result of the tool.
  'llama-index/tool-error': ['tools'],
  'openai-agents/tool-error': ['tools'],
  'traceloop-llama-index/tool-error': ['tools'],
  'strands/tool-error': ['tools'],
  // Each turn ends with a call of the tool `final_answer`.
  'smolagents/session': ['tools'],
  'smolagents-models/anthropic': ['tools'],
  'smolagents-models/gemini': ['tools'],
  // Both instrumentations report the call, one of them only with the requested model.
  'pydantic-ai/with-openai-stream': ['models'],
  // Only the requested model is sent.
  'openinference-langchain/stream': ['models'],
  // The sender reports the price of a region.
  'dspy-models/bedrock': ['cost_nano_usd'],
  'litellm-models/bedrock': ['cost_nano_usd'],
  'litellm-models/bedrock-stream': ['cost_nano_usd'],
  'pydantic-ai-models/bedrock': ['cost_nano_usd'],
  'pydantic-ai-models/bedrock-stream': ['cost_nano_usd'],
}

interface ShownTrace extends Omit<
  ExpectedTrace,
  'status_message' | 'model_calls' | 'failures' | 'tools' | 'kinds'
> {
  readonly status_message: boolean
  readonly tools: readonly object[]
  readonly kinds: readonly string[]
  readonly cost_nano_usd: number
}

/** The numbers that a cost is worked out from. */
const PRICED = ['input_tokens', 'output_tokens', 'cached_tokens']

const recordings = readRecordings()

test.each(recordings)('$name shows what its ledger says', (recording) => {
  const { traces, not_sent: notSent } = recording.expected
  const isSent = (field: string): boolean =>
    !(field in notSent) &&
    NOT_SHOWN[recording.name]?.includes(field) !== true &&
    (field !== 'cost_nano_usd' || PRICED.every(isSent))
  const sent = (trace: ShownTrace) =>
    Object.fromEntries(Object.entries(trace).filter(([field]) => isSent(field)))
  const logged = loggedTracesIn(recording)
  const shown = logged.map(({ spans }, index) => show(spans, traces[index]))
  const wanted = traces.map((trace, index) =>
    asShown(
      trace,
      recording.ledger.filter(({ turn }) => turn === index),
      logged[index]?.spans[0]?.startTimeNs ?? 0n,
    ),
  )
  expect(shown.map(sent)).toEqual(wanted.map(sent))
})

function asShown(trace: ExpectedTrace, bills: readonly LedgerEntry[], atNs: bigint): ShownTrace {
  const { status_message: _, model_calls: __, failures: ___, tools, kinds, ...same } = trace
  return {
    ...same,
    status_message: true,
    models: same.models.toSorted(),
    tools: tools.map(({ name, arguments: given, result }) => ({
      name,
      arguments: JSON.parse(given) as unknown,
      result,
    })),
    kinds: kinds.toSorted(),
    cost_nano_usd: bills.reduce((total, bill) => total + costOf(bill, atNs), 0),
  }
}

function costOf(bill: LedgerEntry, atNs: bigint): number {
  const cost = builtInPrices.costOf({
    provider: '',
    model: bill.model,
    atNs,
    inputTokens: BigInt(bill.input_tokens),
    outputTokens: BigInt(bill.output_tokens),
    cachedTokens: BigInt(bill.cached_tokens),
    cacheWrittenTokens: BigInt(bill.cache_written_tokens ?? 0),
  })
  return Number(cost)
}

const CALLS: ReadonlySet<string> = new Set(['model', 'embedding'])

function show(spans: readonly TraceSpan[], expected: ExpectedTrace | undefined): ShownTrace {
  const root = findRoot(spans, Infinity)
  if (root === undefined) throw new Error('the trace has no root')
  const usage = usageOf(spans)
  const stored = spans as readonly (TraceSpan & StoredSpan)[]
  const isFailed = stored.some((span) => span.isFailedRun || (span === root && span.isError))
  const first = (pick: (span: StoredSpan) => string) =>
    stored.map(pick).find((text) => text !== '') ?? ''
  const models = stored.filter((span) => CALLS.has(span.type) && span.model !== '')
  return {
    // What isn't text has a placeholder.
    input: inputOf(spans, root).replaceAll(/\n\[[\w/]+\]/g, ''),
    output: outputOf(spans, root, isFailed),
    status: isFailed ? 'error' : 'ok',
    status_message:
      !isFailed ||
      spans.some(({ statusMessage }) => statusMessage.includes(expected?.status_message ?? '')),
    // A call that failed has no bill.
    models: isFailed
      ? (expected?.models ?? [])
      : [...new Set(models.map(({ model }) => model))].toSorted(),
    input_tokens: Number(usage.inputTokens),
    output_tokens: Number(usage.outputTokens),
    cached_tokens: Number(usage.cachedTokens),
    reasoning_tokens: Number(usage.reasoningTokens),
    tools: stored
      .filter(({ type }) => type === 'tool')
      .map(({ toolName, input, output }) => ({
        name: toolName,
        arguments: new SpanJson().parse(input) ?? input,
        result: output,
      })),
    // Some senders have a session for each run.
    session_id: expected?.session_id === '' ? '' : first(({ sessionId }) => sessionId),
    user_id: first(({ userId }) => userId),
    kinds: (expected?.kinds ?? [])
      .filter((kind) => spans.some(({ type }) => type === kind))
      .toSorted(),
    cost_nano_usd: Number(usage.costNanoUsd),
  }
}
