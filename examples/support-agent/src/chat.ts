import { SpanKind, trace, type Span } from '@opentelemetry/api'
import type { Knowledge } from './knowledge.ts'
import { complete, message, MODEL } from './model.ts'
import { Search, type Hit } from './search.ts'

/** The answer to one message. */
export interface Answer {
  answer: string
  sources: { id: string; title: string; score: number }[]
  model: string
  usage: { input_tokens: number; output_tokens: number }
  /** The id of this answer's trace, if traces are sent. */
  trace_id?: string
}

const tracer = trace.getTracer('support-agent')

/** Runs `work` in a child span of the request's span. */
function inSpan<T>(name: string, attributes: Record<string, string>, work: (span: Span) => T): T {
  return tracer.startActiveSpan(name, { kind: SpanKind.INTERNAL, attributes }, (span) => {
    try {
      return work(span)
    } finally {
      span.end()
    }
  })
}

/** Answers questions from its knowledge, which an ingestion can replace at run time. */
export class Chat {
  readonly #greeting: string
  #knowledge: Knowledge
  #search: Search

  constructor(knowledge: Knowledge, greeting: string) {
    this.#greeting = greeting
    this.#knowledge = knowledge
    this.#search = new Search(knowledge)
  }

  /** The version and size of the knowledge, for health answers and logs. */
  get status(): { version: string; articles: number } {
    return { version: this.#knowledge.version, articles: this.#knowledge.articles.length }
  }

  /** Replaces the knowledge; running answers finish with the old one. */
  learn(knowledge: Knowledge): void {
    this.#search = new Search(knowledge)
    this.#knowledge = knowledge
  }

  /** Answers a question: retrieval, then the model. Each step is a span with GenAI attributes. */
  answer(question: string): Answer {
    const hits = this.#retrieve(question)
    const { text, inputTokens, outputTokens } = this.#generate(question, hits)
    const traceId = trace.getActiveSpan()?.spanContext().traceId
    return {
      answer: [this.#greeting, text].filter(Boolean).join(' '),
      sources: hits.map(({ article, score }) => ({
        id: article.id,
        title: article.title,
        score: round(score),
      })),
      model: MODEL,
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
      ...(traceId && { trace_id: traceId }),
    }
  }

  #retrieve(question: string): Hit[] {
    const attributes = {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': `faq@${this.#knowledge.version}`,
      'gen_ai.retrieval.query.text': question,
    }
    return inSpan('retrieval faq', attributes, (span) => {
      const hits = this.#search.find(question, 3)
      const documents = hits.map(({ article, score }) => ({ id: article.id, score: round(score) }))
      span.setAttribute('gen_ai.retrieval.documents', JSON.stringify(documents))
      return hits
    })
  }

  #generate(question: string, hits: readonly Hit[]) {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'support-agent',
      'gen_ai.request.model': MODEL,
    }
    return inSpan(`chat ${MODEL}`, attributes, (span) => {
      const passages = hits.map(({ article }) => article)
      const completion = complete(question, passages, (term) => this.#search.weightOf(term))
      span.setAttributes({
        'gen_ai.response.model': MODEL,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': completion.inputTokens,
        'gen_ai.usage.output_tokens': completion.outputTokens,
        'gen_ai.input.messages': JSON.stringify(completion.input),
        'gen_ai.output.messages': JSON.stringify([
          { ...message('assistant', completion.text), finish_reason: 'stop' },
        ]),
      })
      return completion
    })
  }
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000
}
