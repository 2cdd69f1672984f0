const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * Counts the values in JSON text without parsing it. The count is approximate and stops at `limit`
 * + 1.
 */
export function countJsonValues(text: Uint8Array, limit: number): number {
  const { length } = text
  let count = 0
  for (let at = 0; at < length; at += 1) {
    const byte = text[at]
    if (byte === QUOTE) {
      for (at += 1; at < length && text[at] !== QUOTE; at += 1) if (text[at] === BACKSLASH) at += 1
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      count += 1
      if (count > limit) return count
    }
  }
  return count
}
