import type { Sender } from '../sender.ts'
import { anthropic } from './anthropic/sender.ts'
import { langsmith } from './langsmith/sender.ts'
import { openaiAgents } from './openai-agents/sender.ts'
import { openaiV2 } from './openai-v2/sender.ts'
import { openinferenceLangchain } from './openinference-langchain/sender.ts'
import { openinferenceOpenai } from './openinference-openai/sender.ts'
import { pydanticAi } from './pydantic-ai/sender.ts'
import { traceloopOld } from './traceloop-old/sender.ts'
import { traceloop } from './traceloop/sender.ts'

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
  langsmith,
]
