import { randomFillSync, randomUUID } from 'node:crypto'

const REQUEST_ID = /^[A-Za-z0-9._~:+/=@-]{1,128}$/
/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/

/**
 * The request id that came in when it is safe to keep (1-128 harmless characters), else a new one.
 */
export function requestIdFrom(header: string | null | undefined): string {
  return REQUEST_ID.test(header ?? '') ? (header ?? '') : randomUUID()
}

/** A trace context for this hop: the caller's trace with a new span id, or a new trace. */
export function traceparentFrom(header: string | null | undefined): string {
  const parent = TRACEPARENT.exec(header ?? '')
  const traceId = parent?.[1] ?? randomHex(16)
  return `00-${traceId}-${randomHex(8)}-${parent?.[2] ?? '01'}`
}

/** The trace id of a trace context. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

/** Random bytes are fetched many at a time: asking for a few costs as much. */
const randomPool = Buffer.alloc(4096)
let randomAt = randomPool.length

function randomHex(bytes: number): string {
  if (randomAt + bytes > randomPool.length) {
    randomFillSync(randomPool)
    randomAt = 0
  }
  randomAt += bytes
  return randomPool.toString('hex', randomAt - bytes, randomAt)
}
