import { langchainCases } from '../langchain-cases.ts'
import type { Sender } from '../../sender.ts'

/** LangSmith's export of runs of LangChain and LangGraph as spans. */
export const langsmith: Sender = {
  name: 'langsmith',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['langsmith', 'langchain', 'langgraph'],
  defaults: {
    env: {
      LANGSMITH_API_KEY: 'unused',
      LANGSMITH_TRACING: 'true',
      LANGSMITH_TRACING_MODE: 'otel',
    },
  },
  cases: { ...langchainCases, guide: { isGuide: true } },
}
