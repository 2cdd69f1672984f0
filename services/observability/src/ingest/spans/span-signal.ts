import { createCounter } from '@slipway/shared/telemetry'

import type { StoredSpan } from '../../domain/span.ts'
import type { CurrentModelPrices } from '../../prices/model-prices.ts'
import { spanBlock } from '../../store/span-rows.ts'
import type { DecodedSpan } from '../decode/decoded-record.ts'
import { findProblem, toStoredSpan } from './read-spans.ts'
import { resolveSpans } from './resolve-spans.ts'
import type { Signal } from '../pipeline/signal.ts'

const count = createCounter('slipway.ingest.spans', 'Spans that were stored or rejected')

/** How spans are stored, with the prices of the time when they arrive. */
export function spanSignal(
  prices: Pick<CurrentModelPrices, 'current'>,
): Signal<DecodedSpan, StoredSpan> {
  return {
    count,
    findProblem: ({ span }, window) => findProblem(span, window),
    toStored: (span, window) => toStoredSpan(span, prices.current, window),
    textsOf: ({ name, statusMessage, input, output, messages, attributes, events }) => [
      name,
      statusMessage,
      input,
      output,
      messages,
      attributes,
      events,
    ],
    blockOf: (owner, spans, nextVersion) => spanBlock(owner, resolveSpans(spans), nextVersion),
  }
}
