export const TRACE_ID_BYTES = 16
export const SPAN_ID_BYTES = 8

/** Whether bytes are an id of this size: not all are zero. */
export function isId(bytes: Uint8Array, length: number): boolean {
  return bytes.length === length && bytes.some((byte) => byte !== 0)
}

/** Writes an id in hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
