import type { Transport } from '@connectrpc/connect'

/** The deadline of a unary call that states none: it may not wait for ever. A stream that states none has none. */
export const DEFAULT_TIMEOUT_MS = 30_000

/** A transport for Connect clients that calls one service. Disposing of it closes its connections. */
export interface RpcTransport extends Transport, Disposable {}
