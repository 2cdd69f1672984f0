// Genkit with its own spans.
import { openAI } from '@genkit-ai/compat-oai/openai'
import { trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { genkit, z } from 'genkit'

import { getWeather, given, MODEL, runTurns, usesWeather } from './recorded.ts'

const sdk = new NodeSDK()
sdk.start()

const ai = genkit({ plugins: [openAI()] })
const weather = ai.defineTool(
  {
    name: 'get_weather',
    description: 'Returns the weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    outputSchema: z.string(),
  },
  async ({ city }) => getWeather(city),
)

let messages: any[] = []
const { sessionId, userId = '' } = given
const answer = ai.defineFlow('answer', async (question: string) => {
  // Genkit sends no session.
  if (sessionId !== undefined)
    trace.getActiveSpan()?.setAttributes({ 'session.id': sessionId, 'user.id': userId })
  const options: any = {
    model: openAI.model(MODEL),
    system: given.system,
    messages,
    prompt: question,
    tools: usesWeather ? [weather] : [],
  }
  const result = given.stream
    ? await ai.generateStream(options).response
    : await ai.generate(options)
  messages = result.messages.filter(({ role }) => role !== 'system')
  return result.text
})

await runTurns(answer)
await sdk.shutdown()
