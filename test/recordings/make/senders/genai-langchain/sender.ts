import type { Sender } from '../../sender.ts'
import { langchainCases } from '../langchain-cases.ts'

/** The official instrumentation of LangChain. */
export const genaiLangchain: Sender = {
  name: 'genai-langchain',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-genai-langchain', 'langchain', 'langgraph'],
  defaults: {
    env: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    },
    notSent: { user_id: 'a span of the program with `user.id`' },
  },
  cases: langchainCases,
}
