import { Readable } from 'node:stream'

/** Larger bodies are sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024

/**
 * A stream of the body in pieces that share its memory. A piece is written when the socket has
 * taken the one before, so that the socket's progress is visible.
 */
export function inPieces(body: Buffer): Readable {
  let at = 0
  return new Readable({
    read() {
      const piece = body.subarray(at, at + PIECE_BYTES)
      at += piece.length
      this.push(piece.length > 0 ? piece : null)
    },
  })
}
