// Genkit with the plugins of several providers.
import { anthropic } from '@genkit-ai/anthropic'
import { googleAI } from '@genkit-ai/google-genai'
import { openAI } from '@genkit-ai/compat-oai/openai'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { genkit } from 'genkit'
import { ollama } from 'genkitx-ollama'

import { given, MODEL, runTurns } from './recorded.ts'

const sdk = new NodeSDK()
sdk.start()

const provider = given.mode.split('+')[1] ?? ''
const { GOOGLE_GEMINI_BASE_URL: baseUrl = '', OLLAMA_HOST: serverAddress = '' } = process.env
const ai = genkit({
  plugins: [
    anthropic(),
    googleAI({ baseUrl }),
    openAI(),
    ollama({ models: [{ name: 'llama3.3', type: 'chat' }], serverAddress }),
  ],
})
const models: Readonly<Record<string, any>> = {
  anthropic: anthropic.model('claude-sonnet-4-5-20250929'),
  gemini: googleAI.model('gemini-2.5-flash'),
  openai: openAI.model(MODEL),
  ollama: 'ollama/llama3.3',
}

const answer = ai.defineFlow('answer', async (prompt: string) => {
  const options: any = { model: models[provider], system: given.system, prompt }
  const result = given.stream
    ? await ai.generateStream(options).response
    : await ai.generate(options)
  return result.text
})

await runTurns(answer)
await sdk.shutdown()
