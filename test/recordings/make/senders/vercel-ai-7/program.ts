// Vercel's AI SDK 5, 6 and 7. From 7 on, a package of its makes the spans.
import { openai } from '@ai-sdk/openai'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import * as ai from 'ai'
import { z } from 'zod'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const { mode, name, sessionId, stream, system, userId } = given
const isNew = mode.startsWith('7')
const sdk = new NodeSDK()
sdk.start()

if (isNew) {
  const { LegacyOpenTelemetry, OpenTelemetry } = await import('@ai-sdk/otel')
  ai.registerTelemetry(
    mode.includes('legacy')
      ? new LegacyOpenTelemetry()
      : new OpenTelemetry({ runtimeContext: true, usage: true }),
  )
}

const model = mode.includes('chat') ? openai.chat(MODEL) : openai(MODEL)
const session = sessionId === undefined ? undefined : { sessionId, userId }

function telemetry(functionId: string) {
  if (!isNew)
    return {
      experimental_telemetry: {
        isEnabled: true,
        functionId,
        ...(session ? { metadata: session } : {}),
      },
    }
  const included = { includeRuntimeContext: { sessionId: true, userId: true } }
  return {
    telemetry: { functionId, ...(session ? included : {}) },
    ...(session ? { runtimeContext: session } : {}),
  }
}

const weather = ai.tool({
  description: 'Returns the weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }: { city: string }) => getWeather(city),
})
const guide = ai.tool({
  description: 'Asks the guide for sights.',
  inputSchema: z.object({ request: z.string() }),
  execute: async ({ request }: { request: string }) => {
    const { text } = await ai.generateText({
      model,
      ...instructions('You know Rome.'),
      prompt: request,
      ...telemetry('guide'),
    })
    return text
  },
})

function instructions(text: string) {
  return isNew ? { instructions: text } : { system: text }
}

const messages: any[] = []

async function answer(question: string): Promise<void> {
  messages.push({ role: 'user', content: question })
  const options: any = {
    model,
    ...instructions(system),
    messages,
    maxRetries: 0,
    stopWhen: ({ steps }: { steps: readonly unknown[] }) => steps.length >= 5,
    ...telemetry('assistant'),
  }
  if (usesWeather) options.tools = { get_weather: weather }
  if (name === 'nested') options.tools = { ask_guide: guide }
  if (name === 'embedding')
    await ai.embedMany({
      model: openai.textEmbeddingModel('text-embedding-3-small'),
      values: [question, 'a rainy day'],
      ...telemetry('search'),
    })
  if (mode.includes('object')) {
    const schema = z.object({ city: z.string() })
    await ai.generateObject({ ...options, schema })
    return
  }
  const result: any = stream ? ai.streamText(options) : await ai.generateText(options)
  if (stream) for await (const _ of result.textStream);
  messages.push(...(await result.response).messages)
}

const tracer = trace.getTracer('agent')
await runTurns(async (question) => {
  if (name !== 'embedding') return await answer(question)
  // The calls of the SDK are not in one trace otherwise.
  return await tracer.startActiveSpan('answer', async (span) => {
    await answer(question)
    span.end()
  })
})

await sdk.shutdown()
