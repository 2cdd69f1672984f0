import { langchainCases } from '../langchain-cases.ts'
import type { Sender } from '../../sender.ts'

/** OpenInference's instrumentation of LangChain and LangGraph. */
export const openinferenceLangchain: Sender = {
  name: 'openinference-langchain',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-langchain', 'langchain', 'langgraph'],
  cases: { ...langchainCases, guide: { isGuide: true } },
}
