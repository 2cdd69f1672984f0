import type { Sender } from '../sender.ts'
import { ag2 } from './ag2/sender.ts'
import { agentFramework } from './agent-framework/sender.ts'
import { agentFrameworkModels } from './agent-framework-models/sender.ts'
import { agno } from './agno/sender.ts'
import { agnoModels } from './agno-models/sender.ts'
import { anthropic } from './anthropic/sender.ts'
import { autogen } from './autogen/sender.ts'
import { autogenModels } from './autogen-models/sender.ts'
import { celery } from './celery/sender.ts'
import { claudeAgentSdk } from './claude-agent-sdk/sender.ts'
import { codex } from './codex/sender.ts'
import { crewai } from './crewai/sender.ts'
import { crewaiModels } from './crewai-models/sender.ts'
import { dspy } from './dspy/sender.ts'
import { dspyModels } from './dspy-models/sender.ts'
import { genaiLangchain } from './genai-langchain/sender.ts'
import { genaiOpenai } from './genai-openai/sender.ts'
import { genkit } from './genkit/sender.ts'
import { genkitModels } from './genkit-models/sender.ts'
import { googleAdk } from './google-adk/sender.ts'
import { googleAdkModels } from './google-adk-models/sender.ts'
import { googleGenai } from './google-genai/sender.ts'
import { haystack } from './haystack/sender.ts'
import { haystackModels } from './haystack-models/sender.ts'
import { laminar } from './laminar/sender.ts'
import { langchainModels } from './langchain-models/sender.ts'
import { langfuse } from './langfuse/sender.ts'
import { langfuseJs } from './langfuse-js/sender.ts'
import { langfuseLangchain } from './langfuse-langchain/sender.ts'
import { langfuseModels } from './langfuse-models/sender.ts'
import { langgraphJs } from './langgraph-js/sender.ts'
import { langgraphJsModels } from './langgraph-js-models/sender.ts'
import { langsmith } from './langsmith/sender.ts'
import { litellm } from './litellm/sender.ts'
import { litellmModels } from './litellm-models/sender.ts'
import { llamaIndex } from './llama-index/sender.ts'
import { llamaIndexModels } from './llama-index-models/sender.ts'
import { logfire } from './logfire/sender.ts'
import { mastra } from './mastra/sender.ts'
import { mastraModels } from './mastra-models/sender.ts'
import { mlflow } from './mlflow/sender.ts'
import { openaiAgents } from './openai-agents/sender.ts'
import { openaiAgentsModels } from './openai-agents-models/sender.ts'
import { openaiV2 } from './openai-v2/sender.ts'
import { openinferenceLangchain } from './openinference-langchain/sender.ts'
import { openinferenceModels } from './openinference-models/sender.ts'
import { openinferenceOpenai } from './openinference-openai/sender.ts'
import { openlit } from './openlit/sender.ts'
import { pydanticAi } from './pydantic-ai/sender.ts'
import { pydanticAiModels } from './pydantic-ai-models/sender.ts'
import { semanticKernel } from './semantic-kernel/sender.ts'
import { semanticKernelModels } from './semantic-kernel-models/sender.ts'
import { smolagents } from './smolagents/sender.ts'
import { smolagentsModels } from './smolagents-models/sender.ts'
import { strands } from './strands/sender.ts'
import { strandsModels } from './strands-models/sender.ts'
import { traceloop } from './traceloop/sender.ts'
import { traceloopCrewai } from './traceloop-crewai/sender.ts'
import { traceloopJs } from './traceloop-js/sender.ts'
import { traceloopLlamaIndex } from './traceloop-llama-index/sender.ts'
import { traceloopModels } from './traceloop-models/sender.ts'
import { traceloopOld } from './traceloop-old/sender.ts'
import { vercelAi5 } from './vercel-ai-5/sender.ts'
import { vercelAi6 } from './vercel-ai-6/sender.ts'
import { vercelAi7 } from './vercel-ai-7/sender.ts'
import { vercelModels4 } from './vercel-models-4/sender.ts'
import { vercelModels5 } from './vercel-models-5/sender.ts'
import { vercelModels6 } from './vercel-models-6/sender.ts'
import { vercelModels7 } from './vercel-models-7/sender.ts'
import { voltagent } from './voltagent/sender.ts'

/** All senders that recordings are made of. */
export const senders: readonly Sender[] = [
  traceloop,
  traceloopOld,
  openaiV2,
  openinferenceOpenai,
  openinferenceLangchain,
  openaiAgents,
  anthropic,
  pydanticAi,
  vercelAi7,
  vercelAi6,
  vercelAi5,
  langsmith,
  strands,
  googleAdk,
  mastra,
  crewai,
  crewaiModels,
  llamaIndex,
  agno,
  langgraphJs,
  smolagents,
  agentFramework,
  semanticKernel,
  autogen,
  autogenModels,
  langfuse,
  genkit,
  ag2,
  haystack,
  voltagent,
  laminar,
  googleGenai,
  traceloopCrewai,
  traceloopLlamaIndex,
  claudeAgentSdk,
  codex,
  dspy,
  genaiLangchain,
  genaiOpenai,
  langfuseJs,
  langfuseLangchain,
  litellm,
  logfire,
  mlflow,
  openlit,
  traceloopJs,
  traceloopModels,
  openinferenceModels,
  vercelModels7,
  vercelModels6,
  vercelModels5,
  vercelModels4,
  langchainModels,
  pydanticAiModels,
  strandsModels,
  litellmModels,
  genkitModels,
  mastraModels,
  langgraphJsModels,
  agentFrameworkModels,
  openaiAgentsModels,
  celery,
  agnoModels,
  haystackModels,
  llamaIndexModels,
  googleAdkModels,
  semanticKernelModels,
  smolagentsModels,
  dspyModels,
  langfuseModels,
]
