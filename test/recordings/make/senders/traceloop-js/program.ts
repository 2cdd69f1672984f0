// OpenLLMetry for JavaScript: the SDK of Traceloop, with its wrappers.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import * as traceloop from '@traceloop/node-server-sdk'
import OpenAI from 'openai'

import { openaiAgent } from './openai-agent.ts'
import { getWeather, given, runTurns } from './recorded.ts'

traceloop.initialize({
  exporter: new OTLPTraceExporter(),
  instrumentModules: { openAI: OpenAI },
  traceloopSyncEnabled: false,
})

const ask = openaiAgent(
  new OpenAI({ maxRetries: 0 }),
  async (weather) =>
    await traceloop.withTool(
      { name: 'get_weather' },
      async ({ city }) => getWeather(city),
      weather,
    ),
)
await runTurns(async (question) => {
  const answer = async () =>
    given.mode.includes('without-root')
      ? await ask(question)
      : await traceloop.withWorkflow({ name: 'answer' }, ask, question)
  const { sessionId, userId } = given
  if (!sessionId || !userId) return await answer()
  const properties = { session_id: sessionId, user_id: userId }
  return await traceloop.withAssociationProperties(properties, answer)
})
await traceloop.forceFlush()
