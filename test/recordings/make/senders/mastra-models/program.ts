// Mastra with several providers, and its exporter for OpenTelemetry.
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createVertex } from '@ai-sdk/google-vertex'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'

import { given, runTurns } from './recorded.ts'

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

const assistant = new Agent({
  id: 'assistant',
  name: 'assistant',
  instructions: given.system,
  model: models[given.mode.split('+')[1] ?? '']?.(),
  maxRetries: 0,
})
const endpoint = `${process.env['OTEL_EXPORTER_OTLP_ENDPOINT']}/v1/traces`
const exporter = new OtelExporter({
  provider: { custom: { endpoint, protocol: 'http/protobuf' } },
})
const mastra = new Mastra({
  agents: { assistant },
  logger: false,
  observability: new Observability({
    configs: { otel: { serviceName: 'agent', exporters: [exporter] } },
  }),
})

const agent = mastra.getAgent('assistant')
await runTurns(async (question) => {
  if (!given.stream) return await agent.generate(question)
  const result = await agent.stream(question)
  for await (const _ of result.textStream);
})

await mastra.shutdown()
