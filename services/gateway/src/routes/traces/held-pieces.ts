import type { FairShare } from '@slipway/shared/fair-queue'

import { PIECE_BYTES } from '../../http/responses/pieces.ts'

/**
 * Yields a text in pieces, each when the client has taken the one before. Counts the whole text in
 * `held` until then: a client that doesn't read holds it in memory. Throws the refusal of `held`.
 */
export function* heldPieces(
  text: string,
  held: Pick<FairShare, 'grow' | 'shrinkBy'> | undefined,
): Iterable<Buffer> {
  const bytes = Buffer.from(text)
  held?.grow(bytes.length)
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield bytes.subarray(at, at + PIECE_BYTES)
  } finally {
    held?.shrinkBy(bytes.length)
  }
}
