// LangGraph for JavaScript with several providers, reported by OpenInference or Langfuse.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatBedrockConverse } from '@langchain/aws'
import * as callbackManager from '@langchain/core/callbacks/manager'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOllama } from '@langchain/ollama'
import { AzureChatOpenAI } from '@langchain/openai'
import { CallbackHandler } from '@langfuse/langchain'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { NodeHttpHandler } from '@smithy/node-http-handler'

import { given, MODEL, runTurns } from './recorded.ts'

const [sender = '', provider = ''] = given.mode.split('+')
const isLangfuse = sender === 'langfuse'
const exporter = new OTLPTraceExporter()
const sdk = new NodeSDK(
  isLangfuse ? { spanProcessors: [new LangfuseSpanProcessor({ exporter })] } : {},
)
sdk.start()
if (!isLangfuse) new LangChainInstrumentation().manuallyInstrument(callbackManager)

const url = process.env['ANTHROPIC_BASE_URL'] ?? ''
const apiKey = 'unused'
const claude = 'claude-sonnet-4-5-20250929'
const credentials = { accessKeyId: 'unused', secretAccessKey: 'unused' }
const options = { apiKey, maxRetries: 0, streaming: given.stream ?? false }
const models: Readonly<Record<string, () => any>> = {
  anthropic: () => new ChatAnthropic({ ...options, model: claude, anthropicApiUrl: url }),
  bedrock: () => {
    const model = `us.anthropic.${claude}-v1:0`
    // The model server has no HTTP/2.
    const clientOptions: any = { endpoint: url, requestHandler: new NodeHttpHandler() }
    return new ChatBedrockConverse({ ...options, model, credentials, clientOptions })
  },
  gemini: () => new ChatGoogleGenerativeAI({ ...options, model: 'gemini-2.5-flash', baseUrl: url }),
  azure: () =>
    new AzureChatOpenAI({
      ...options,
      model: MODEL,
      azureOpenAIApiKey: apiKey,
      azureOpenAIApiDeploymentName: MODEL,
      azureOpenAIApiVersion: '2025-04-01-preview',
    }),
  ollama: () => new ChatOllama({ ...options, model: 'llama3.3', baseUrl: url }),
}

const agent = createReactAgent({
  llm: models[provider]?.(),
  tools: [],
  prompt: given.system,
  name: 'assistant',
})
await runTurns(async (question) => {
  const input = { messages: [{ role: 'user', content: question }] }
  const config: any = isLangfuse ? { callbacks: [new CallbackHandler()] } : {}
  if (!given.stream) return await agent.invoke(input, config)
  for await (const _ of await agent.stream(input, { ...config, streamMode: 'messages' }));
})

await sdk.shutdown()
