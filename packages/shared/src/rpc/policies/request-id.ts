import { randomUUID } from 'node:crypto'

const REQUEST_ID = /^[A-Za-z0-9._~:+/=@-]{1,128}$/

/** The received request id if it is safe to log and forward, otherwise a new one. */
export function requestIdFrom(header: string | null | undefined): string {
  return REQUEST_ID.test(header ?? '') ? (header ?? '') : randomUUID()
}
