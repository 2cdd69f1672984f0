import { createCounter } from '@slipway/shared/telemetry'

import type { StoredSpan } from '../domain/span.ts'
import { spanRows } from '../store/span-rows.ts'
import { findProblem, toStoredSpan } from './read-spans.ts'
import { resolveSpans } from './resolve-spans.ts'
import type { Signal } from './signal.ts'

/** How spans are stored. */
export const spanSignal: Signal<StoredSpan> = {
  count: createCounter('slipway.ingest.spans', 'Spans that were stored or rejected'),
  findProblem: ({ span }, window) => findProblem(span, window),
  toStored: (span) => toStoredSpan(span),
  textsOf: ({ name, statusMessage, input, output, attributes, events }) => [
    name,
    statusMessage,
    input,
    output,
    attributes,
    events,
  ],
  rowsOf: (owner, spans, nextVersion) => spanRows(owner, resolveSpans(spans), nextVersion),
}
