// LangGraph for JavaScript with OpenInference.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbackManager from '@langchain/core/callbacks/manager'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { z } from 'zod'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const provider = new NodeTracerProvider({
  resource: detectResources({ detectors: [envDetector] }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
provider.register()
const instrumentation = new LangChainInstrumentation({ tracerProvider: provider })
instrumentation.manuallyInstrument(callbackManager)

const llm = new ChatOpenAI({ model: MODEL, maxRetries: 0, streaming: given.stream ?? false })
const guide = createReactAgent({ llm, tools: [], prompt: 'You know Rome.', name: 'guide' })

const weather = tool(({ city }) => getWeather(city), {
  name: 'get_weather',
  description: 'Returns the weather in a city.',
  schema: z.object({ city: z.string() }),
})
const askGuide = tool(
  async ({ request }) => {
    const result = await guide.invoke({ messages: [{ role: 'user', content: request }] })
    return String(result.messages.at(-1)?.content)
  },
  {
    name: 'ask_guide',
    description: 'Asks the guide for sights.',
    schema: z.object({ request: z.string() }),
  },
)

const { sessionId, userId } = given
const agent = createReactAgent({
  llm,
  tools: [...(usesWeather ? [weather] : []), ...(given.name === 'nested' ? [askGuide] : [])],
  prompt: given.system,
  name: 'assistant',
  ...(sessionId ? { checkpointSaver: new MemorySaver() } : {}),
})
const options = sessionId
  ? {
      configurable: { thread_id: sessionId },
      metadata: { session_id: sessionId, user_id: userId },
    }
  : {}

await runTurns(async (question) => {
  const input = { messages: [{ role: 'user', content: question }] }
  if (!given.stream) return await agent.invoke(input, options)
  for await (const _ of await agent.stream(input, { ...options, streamMode: 'messages' }));
})

await provider.shutdown()
