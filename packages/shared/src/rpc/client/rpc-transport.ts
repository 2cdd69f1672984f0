import type { Transport } from '@connectrpc/connect'

/**
 * The deadline of a unary call that states none: it may not wait for ever. A stream that states
 * none has none.
 */
export const DEFAULT_TIMEOUT_MS = 30_000

/**
 * A transport for Connect clients that calls one service. Disposing of it closes its connections.
 */
export interface RpcTransport extends Transport, Disposable {}

/** Headers in any of the forms that a client may give them in. */
export type CallHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** The usual headers of a call are a plain record, which need not become Headers first. */
export function isPlainRecord(headers: CallHeaders): headers is Record<string, string> {
  return !(headers instanceof Headers || Array.isArray(headers) || Symbol.iterator in headers)
}
