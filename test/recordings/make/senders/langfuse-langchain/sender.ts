import type { Sender } from '../../sender.ts'
import { langchainCases } from '../langchain-cases.ts'

const notSent = { models: 'the version that answered' }

/** The callback of Langfuse for LangChain. It counts each token in one number only. */
export const langfuseLangchain: Sender = {
  name: 'langfuse-langchain',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['langfuse', 'langchain', 'langgraph'],
  cases: {
    ...langchainCases,
    stream: { notSent },
    'stream-tool': { notSent },
  },
}
