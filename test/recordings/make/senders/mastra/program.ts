// Mastra with its exporter for OpenTelemetry.
import { openai } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { z } from 'zod'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const guide = new Agent({
  id: 'guide',
  name: 'guide',
  instructions: 'You know Rome.',
  model: openai(MODEL),
})
const weather = createTool({
  id: 'get_weather',
  description: 'Returns the weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => getWeather(city),
})
const askGuide = createTool({
  id: 'ask_guide',
  description: 'Asks the guide for sights.',
  inputSchema: z.object({ request: z.string() }),
  execute: async ({ request }, { tracingContext }) =>
    (await guide.generate(request, { tracingContext })).text,
})

const assistant = new Agent({
  id: 'assistant',
  name: 'assistant',
  instructions: given.system,
  model: openai(MODEL),
  maxRetries: 0,
  tools: {
    ...(usesWeather ? { get_weather: weather } : {}),
    ...(given.name === 'nested' ? { ask_guide: askGuide } : {}),
  },
})
const endpoint = `${process.env['OTEL_EXPORTER_OTLP_ENDPOINT']}/v1/traces`
const exporter = new OtelExporter({
  provider: { custom: { endpoint, protocol: 'http/protobuf' } },
})
const mastra = new Mastra({
  agents: { assistant, guide },
  logger: false,
  observability: new Observability({
    configs: { otel: { serviceName: 'agent', exporters: [exporter] } },
  }),
})

const agent = mastra.getAgent('assistant')
const messages: any[] = []
const { sessionId, userId } = given
const options = sessionId ? { tracingOptions: { metadata: { sessionId, userId } } } : {}

await runTurns(async (question) => {
  messages.push({ role: 'user', content: question })
  if (!given.stream) {
    const { text } = await agent.generate(messages, options)
    messages.push({ role: 'assistant', content: text })
    return
  }
  const result = await agent.stream(messages, options)
  for await (const _ of result.textStream);
})

await mastra.shutdown()
