// VoltAgent with its own spans.
import { openai } from '@ai-sdk/openai'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Agent, createTool, VoltAgentObservability } from '@voltagent/core'
import { z } from 'zod'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const observability = new VoltAgentObservability({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
const weather = createTool({
  name: 'get_weather',
  description: 'Returns the weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => getWeather(city),
})
const agent = new Agent({
  name: 'assistant',
  instructions: given.system,
  model: openai.chat(MODEL),
  tools: usesWeather ? [weather] : [],
  observability,
  maxRetries: 0,
})
const options = given.sessionId ? { conversationId: given.sessionId, userId: given.userId } : {}
await runTurns(async (question) => {
  if (!given.stream) return await agent.generateText(question, options)
  const result = await agent.streamText(question, options)
  for await (const _ of result.textStream);
})
await observability.shutdown()
// Its timers would keep the program alive.
process.exit(0)
