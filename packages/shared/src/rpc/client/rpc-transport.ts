import type { Transport } from '@connectrpc/connect'

/**
 * The timeout of a unary call without one. Streams have no default timeout.
 */
export const DEFAULT_TIMEOUT_MS = 30_000

/**
 * A transport for Connect clients that calls one service. Disposing of it closes its connections.
 */
export interface RpcTransport extends Transport, Disposable {}

/** Headers in any form that a client accepts. */
export type CallHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** Whether the headers are a plain record, as usual. Converting it to Headers would be slower. */
export function isPlainRecord(headers: CallHeaders): headers is Record<string, string> {
  return !(headers instanceof Headers || Array.isArray(headers) || Symbol.iterator in headers)
}
