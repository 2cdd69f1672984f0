import { createHash } from 'node:crypto'

import { replayedJson } from './replayed-json.ts'
import { replayedProtobuf } from './replayed-protobuf.ts'
import type { RecordedRequest, Recording } from './recording.ts'
import type { Change } from './change.ts'

/** How a replay differs from its recording. */
export interface ReplayOptions {
  /** When the first span starts, in nanoseconds since 1970. By default as recorded. */
  readonly startNs?: bigint
  /** Gives traces and spans other ids, the same for the same salt. By default as recorded. */
  readonly salt?: string
}

/**
 * Returns the requests of a recording with other times and ids and otherwise as they were sent,
 * byte for byte: old spans are rejected, and the same span twice is stored once. Ids that occur in
 * attributes stay.
 */
export function replay(
  { requests }: Pick<Recording, 'requests'>,
  { startNs, salt }: ReplayOptions,
): RecordedRequest[] {
  let first: bigint | undefined
  const look: Change = {
    time: (ns) => {
      if (ns > 0n && (first === undefined || ns < first)) first = ns
      return ns
    },
    id: (bytes) => bytes,
  }
  const spans = requests.filter(({ path }) => path === '/v1/traces')
  for (const request of spans.length > 0 ? spans : requests) changed(request, look)
  const shift = startNs === undefined ? 0n : startNs - (first ?? startNs)
  const change: Change = {
    time: (ns) => (ns === 0n ? 0n : ns + shift),
    id: (bytes) => (salt === undefined ? bytes : saltedId(bytes, salt)),
  }
  return requests.map((request) => ({ ...request, body: changed(request, change) }))
}

function changed({ path, contentType, body }: RecordedRequest, change: Change): Buffer {
  // Metrics have neither ids of traces nor a retention that depends on their times.
  if (path === '/v1/metrics') return body
  return contentType.includes('json')
    ? replayedJson(body, change)
    : replayedProtobuf(path, body, change)
}

function saltedId(id: Buffer, salt: string): Buffer {
  return createHash('sha256').update(salt).update(id).digest().subarray(0, id.length)
}
