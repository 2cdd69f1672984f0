import { byStart, type TraceSpan } from './trace-tree.ts'

/** What a trace shows about its run, besides its root. */
export interface TraceFacts {
  /** The models that were called, in the order of their first call; at most 100. */
  readonly models: readonly string[]
  /** The session of the first span that has one; so is the user. */
  readonly sessionId: string
  readonly userId: string
  /** The least certain source of the cost of a span; empty if no cost is known. */
  readonly costSource: string
}

const MAX_MODELS = 100
/** The types of spans whose models are those of a trace. Senders may not say what a span is. */
export const MODEL_TYPES: readonly string[] = ['model', 'embedding', '']

/** One estimate makes the cost of a trace an estimate. */
const COST_SOURCES = ['base_prices', 'prices', 'sender']

/** Collects what the spans of a trace show about its run. */
export function factsOf(
  spans: readonly Pick<
    TraceSpan,
    'spanId' | 'startTimeNs' | 'type' | 'model' | 'sessionId' | 'userId' | 'costSource'
  >[],
): TraceFacts {
  const sorted = spans.toSorted(byStart)
  const calls = sorted.filter(({ type, model }) => MODEL_TYPES.includes(type) && model !== '')
  return {
    models: [...new Set(calls.map(({ model }) => model))].slice(0, MAX_MODELS),
    sessionId: sorted.find(({ sessionId }) => sessionId !== '')?.sessionId ?? '',
    userId: sorted.find(({ userId }) => userId !== '')?.userId ?? '',
    costSource: COST_SOURCES.find((source) => spans.some((s) => s.costSource === source)) ?? '',
  }
}
