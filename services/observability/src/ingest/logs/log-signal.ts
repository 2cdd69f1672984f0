import { createCounter } from '@slipway/shared/telemetry'

import type { StoredLog } from '../../domain/stored-log.ts'
import { logBlock } from '../../store/log-rows.ts'
import type { DecodedLog } from '../decode/decoded-record.ts'
import type { Signal } from '../pipeline/signal.ts'
import { sentTimeOf, toStoredLog } from './read-logs.ts'

export const logSignal: Signal<DecodedLog, StoredLog> = {
  count: createCounter(
    'slipway.ingest.log_records',
    'Log records that were stored, rejected, or ignored because they have no content of an agent',
  ),
  findProblem({ log }, { oldestNs, newestNs }) {
    const timeNs = sentTimeOf(log)
    if (timeNs === 0n) return undefined
    if (timeNs < oldestNs) return 'the log record is older than the retention period'
    return timeNs > newestNs ? 'the log record is in the future' : undefined
  },
  toStored: (log, { nowNs }) => toStoredLog(log, nowNs),
  textsOf: ({ name, input, output, messages, attributes }) => [
    name,
    input,
    output,
    messages,
    attributes,
  ],
  blockOf: logBlock,
}
