// The SDK of Langfuse for JavaScript, with its wrapper of the OpenAI SDK.
import { observeOpenAI } from '@langfuse/openai'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'
import OpenAI from 'openai'

import { openaiAgent } from './openai-agent.ts'
import { getWeather, given, runTurns } from './recorded.ts'

const sdk = new NodeSDK({
  spanProcessors: [new LangfuseSpanProcessor({ exporter: new OTLPTraceExporter() })],
})
sdk.start()

const ask = openaiAgent(
  observeOpenAI(new OpenAI({ maxRetries: 0 })),
  async (input) =>
    await startActiveObservation(
      'get_weather',
      async (tool) => {
        tool.update({ input })
        const output = getWeather(input.city)
        tool.update({ output })
        return output
      },
      { asType: 'tool' },
    ),
)
await runTurns(async (input) => {
  const answer = async () =>
    await startActiveObservation(
      'answer',
      async (agent) => {
        agent.update({ input })
        agent.update({ output: await ask(input) })
      },
      { asType: 'agent' },
    )
  const { sessionId, userId } = given
  return sessionId ? await propagateAttributes({ sessionId, userId }, answer) : await answer()
})
await sdk.shutdown()
