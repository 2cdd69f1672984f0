import { readRecordings, type ExpectedTrace } from '@slipway/testing/recordings'
import { expect, test } from 'vitest'

import { loggedTracesIn } from '../../test/support/recorded-traces.ts'
import { messagesOf, type SpanMessage } from '../domain/span-messages.ts'
import type { TraceSpan } from '../domain/trace-tree.ts'
import { isCall } from '../domain/trace-usage.ts'
import { SpanJson } from './messages/span-json.ts'

/** What the messages and the calls of a recording don't show, by the start of its name. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  // The sender replaces the results of tools by their names.
  'mastra/guide': ['results'],
  'mastra/nested': ['results'],
  'mastra/stream-tool': ['results'],
  'mastra/tool-error': [],
  'mastra/tool': ['results'],
  // The Responses API has no finish reasons, and these spans don't have those of other APIs.
  'openinference-openai/responses': ['reasons'],
  'openinference-models/responses': ['reasons'],
  'openai-agents/chat-tool': ['reasons'],
  'openai-agents-models/openinference': ['reasons'],
  // The model gets the question inside of a prompt, and the failed agent doesn't send it.
  'crewai/model-error': ['question'],
  // The span of the call leaves out messages with images.
  'traceloop/image': ['question'],
  // The calls have the ids of items of the Responses API, where the results name those of calls.
  'traceloop/responses-tool': ['ids'],
  // The spans of tools have other arguments than the calls in messages.
  'langgraph-js/guide': ['calls'],
  'langgraph-js/nested': ['calls'],
  'langgraph-js/stream-tool': ['calls'],
  'langgraph-js/tool': ['calls'],
  // What is said is in the records of functions, not in those of its calls.
  'codex/plain-without-content': [],
  'codex/tool': ['question', 'answer', 'calls', 'results'],
  'codex/': ['question', 'answer'],
  // Its calls of models have no messages without further settings.
  'claude-agent-sdk/guide': ['calls', 'results'],
  'claude-agent-sdk/tool': ['calls', 'results'],
  // The model gets the question inside of a prompt, and answers in the same way.
  'dspy/model-error': ['question'],
  'dspy/': ['question', 'answer'],
  'dspy-models/': ['question', 'answer'],
  // Its spans have no finish reasons, and calls in streams no ids.
  'langfuse-js/model-error': [],
  'langfuse-js/stream-tool': ['ids', 'reasons'],
  'langfuse-js/': ['reasons'],
  'langfuse-langchain/model-error': [],
  'langfuse-langchain/': ['reasons'],
  'langchain-models/langfuse': ['reasons'],
  'langgraph-js-models/langfuse': ['reasons'],
  // Nor do these.
  'llama-index-models/openinference-anthropic-stream': ['reasons'],
  'llama-index-models/openinference-bedrock-stream': ['reasons'],
  'llama-index-models/openinference-ollama': ['reasons'],
  'llama-index-models/traceloop-anthropic-stream': ['reasons'],
  // The results of tools are sent without the ids of the calls.
  'litellm/tool': ['ids'],
  // The Responses API has no finish reasons.
  'mlflow/responses-tool': ['reasons'],
  // The output of a response that calls a tool is an empty text.
  'traceloop-js/responses-tool': ['calls'],
  // Its spans of this provider have no finish reasons.
  'traceloop-models/ollama': ['reasons'],
  'langchain-models/traceloop-anthropic': ['reasons'],
  'langchain-models/traceloop-bedrock': ['reasons'],
  'langchain-models/traceloop-ollama': ['reasons'],
  // Its spans have no finish reasons.
  'agno/model-error': [],
  'agno/': ['reasons'],
  'agno-models/': ['reasons'],
  'autogen/agents-tool': ['reasons'],
  'langfuse/model-error': [],
  'langfuse/': ['reasons'],
  'langfuse-models/azure': ['reasons'],
  // Nor do these. Their messages have calls without ids, and no results.
  'haystack/model-error': [],
  'haystack/tool': ['results', 'ids', 'reasons'],
  'haystack/': ['reasons'],
  'haystack-models/': ['reasons'],
  // Nor do these. The result of a tool is text after a heading, and that of the last one is not
  // sent to a model.
  'smolagents/plain': ['results', 'reasons'],
  'smolagents/session': ['reasons', 'ids'],
  'smolagents/': ['results', 'ids', 'reasons'],
  'smolagents-models/': ['reasons'],
  // Its spans have the question and the answer, and no calls of tools.
  'voltagent/tool-error': ['calls'],
  'voltagent/tool': ['calls', 'results'],
  'voltagent/stream-tool': ['calls', 'results'],
  // Messages name tools without their plugin.
  'semantic-kernel/tool': ['calls'],
  'semantic-kernel/stream-tool': ['calls'],
  'openai-v2/stream-legacy-events': ['reasons'],
  'openai-v2/stream-tool-event': ['reasons'],
  // Its chats send the results of functions without the ids of the calls, and calls that the SDK
  // makes by itself are in no message.
  'google-genai/tool': ['ids'],
  'google-genai/models-tool': ['calls', 'results'],
}

const recordings = readRecordings().filter(({ name }) => !name.includes('/embedding'))

test.each(recordings)('$name shows the messages of its calls', ({ name, expected, ...sent }) => {
  const prefix = Object.keys(NOT_SHOWN).find((each) => name.startsWith(each)) ?? ''
  const { not_sent: notSent, traces } = expected
  const shown = loggedTracesIn({ name, expected, ...sent })
  const missing = traces.flatMap((trace, index) => missingIn(shown[index]?.spans ?? [], trace))
  const isSent = (fact: string) => !(FIELDS[fact] !== undefined && FIELDS[fact] in notSent)
  expect([...new Set(missing)].filter(isSent)).toEqual(NOT_SHOWN[prefix] ?? [])
})

/** The field of what is expected that a fact is about. */
const FIELDS: Readonly<Record<string, string>> = {
  question: 'input',
  answer: 'output',
  calls: 'output',
  results: 'input',
}

function missingIn(spans: readonly TraceSpan[], expected: ExpectedTrace): readonly string[] {
  const speakers = spans.filter(({ type }) => type === 'model' || type === 'agent')
  const all = speakers.map(messagesOf)
  const input = all.flatMap((messages) => messages.input)
  const output = all.flatMap((messages) => messages.output)
  const calls = spans.filter((span) => span.type === 'model' && (isCall(span) || isRepeated(span)))
  const isSaid = (messages: readonly SpanMessage[], role: string, text: string) =>
    text === '' ||
    messages.some((message) => message.role === role && withoutMedia(message) === text)
  const isCalled = (tool: ExpectedTrace['tools'][number]) =>
    output
      .flatMap((message) => message.calls ?? [])
      .some((call) => call.name === tool.name && isSameJson(call.arguments, tool.arguments))
  const results = [...input, ...output].flatMap((message) => message.results ?? [])
  return Object.entries({
    question: isSaid(input, 'user', expected.input),
    answer: isSaid(output, 'assistant', expected.output),
    calls: expected.tools.every(isCalled),
    results: expected.tools.every(({ error, result }) => error !== '' || results.includes(result)),
    ids: areNamed([...input, ...output]),
    reasons: calls.every(({ finishReason }) => finishReason !== ''),
  }).flatMap(([fact, isShown]) => (isShown ? [] : [fact]))
}

/** Whether each call has an id, and each result names that of a call. */
function areNamed(messages: readonly SpanMessage[]): boolean {
  const ids = messages.flatMap(({ calls = [] }) => calls.map(({ id = '' }) => id))
  const named = messages.flatMap(({ results = [], result_ids: named = [] }) =>
    results.map((_, index) => named[index] ?? ''),
  )
  return !ids.includes('') && named.every((id) => ids.includes(id))
}

function isRepeated({ totalInputTokens }: TraceSpan): boolean {
  return totalInputTokens > 0n
}

function withoutMedia({ text = '' }: SpanMessage): string {
  return text.replaceAll(/\n?\[[\w/]+\]/g, '').trimEnd()
}

function isSameJson(one: string, other: string): boolean {
  return JSON.stringify(new SpanJson().parse(one)) === JSON.stringify(new SpanJson().parse(other))
}
