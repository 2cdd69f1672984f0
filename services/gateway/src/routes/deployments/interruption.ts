import { Code, ConnectError } from '@connectrpc/connect'

import { withParameters } from '../../http/requests/with-parameters.ts'

/**
 * Whether a wait or a stream ended because the gateway or a service stops or is unreachable. The
 * client can continue it.
 */
export function isInterruption(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unavailable
}

/** Ends an interrupted stream with a last piece that says how to continue. */
export async function* withLastPiece<Piece>(
  pieces: AsyncIterable<Piece>,
  lastPiece: () => Piece,
): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    if (!isInterruption(error)) throw error
    yield lastPiece()
  }
}

/** The last line of an interrupted log: the request that continues it. */
export function continueLine(url: string, changes: Readonly<Record<string, string>>): string {
  return `# interrupted; continue with GET ${withParameters(url, changes)}\n`
}
