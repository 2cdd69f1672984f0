// Vercel's AI SDK 4 to 7 with several providers.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createVertex } from '@ai-sdk/google-vertex'
import { NodeSDK } from '@opentelemetry/sdk-node'
import * as ai from 'ai'

import { given, runTurns } from './recorded.ts'

const [version = '', provider = ''] = given.mode.split('+')
const isNew = version === '7'
const sdk = new NodeSDK()
sdk.start()
if (isNew) {
  const { OpenTelemetry } = await import('@ai-sdk/otel')
  ai.registerTelemetry(new OpenTelemetry({ usage: true }))
}

const url = process.env['ANTHROPIC_BASE_URL'] ?? ''
const apiKey = 'unused'
const claude = 'claude-sonnet-4-5-20250929'
const amazon = { region: 'us-east-1', accessKeyId: 'unused', secretAccessKey: 'unused' }
const models: Readonly<Record<string, () => any>> = {
  anthropic: () => createAnthropic({ apiKey, baseURL: `${url}/v1` })(claude),
  bedrock: () => createAmazonBedrock({ ...amazon, baseURL: url })(`us.anthropic.${claude}-v1:0`),
  gemini: () => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-2.5-flash'),
  vertex: () => {
    const baseURL = `${url}/v1/projects/p/locations/global/publishers/google`
    return createVertex({ apiKey, baseURL })('gemini-2.5-flash')
  },
  azure: () => createAzure({ apiKey, baseURL: `${url}/openai` })('gpt-4.1-mini'),
}

const model = models[provider]?.()
const telemetry = isNew
  ? { telemetry: { functionId: 'assistant' } }
  : { experimental_telemetry: { isEnabled: true, functionId: 'assistant' } }

await runTurns(async (question) => {
  const options: any = {
    model,
    ...(isNew ? { instructions: given.system } : { system: given.system }),
    prompt: question,
    maxRetries: 0,
    ...telemetry,
  }
  const result: any = given.stream ? ai.streamText(options) : await ai.generateText(options)
  if (given.stream) for await (const _ of result.textStream);
})

await sdk.shutdown()
