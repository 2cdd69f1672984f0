import { decodeSpan, recordsInProtobuf } from '@slipway/observability/ingest/otlp-protobuf'
import { toStoredSpan } from '@slipway/observability/ingest/read-spans'
import { spanBlock } from '@slipway/observability/store/span-rows'

import { makeTraces } from '../../observability/sent-traces.ts'
import type { StartSide } from '../side.ts'

const TRACES = 100

/** Encoders of the rows of an agent's spans. An operation encodes 500 spans. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway() {
    const stored = storedSpans()
    let version = 0
    return {
      run(count) {
        for (let done = 0; done < count; done += 1) spanBlock(OWNER, stored, () => (version += 1))
      },
    }
  },
  // What ClickHouse's client does in the format JSONEachRow; then the engine has to parse it.
  'JSON.stringify'() {
    const stored = storedSpans().map((span) => ({ ...span, ...OWNER }))
    const replacer = (_: string, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value
    return {
      run(count) {
        for (let done = 0; done < count; done += 1)
          Buffer.from(stored.map((span) => JSON.stringify(span, replacer)).join('\n'))
      },
    }
  },
}

const OWNER = { accountId: 'a', agent: 'support', agentId: 'b', deploymentId: 'c', buildId: 'd' }

function storedSpans() {
  const prices = { costOf: () => 0n, sourceOf: () => 'prices' as const }
  return recordsInProtobuf(makeTraces(TRACES, 'spans').spans).map((record) => {
    const decoded = decodeSpan(record)
    if (!('span' in decoded)) throw new Error(decoded.reason)
    return toStoredSpan(decoded, prices, { newestNs: 2n ** 63n })
  })
}
