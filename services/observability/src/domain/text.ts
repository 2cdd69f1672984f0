/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/**
 * Returns the longest prefix of `text` that takes at most `maxBytes` in UTF-8 and doesn't split a
 * character.
 */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * MAX_BYTES_PER_UNIT <= maxBytes) return text
  // Each unit takes a byte or more, so these have more bytes if the text has.
  const bytes = Buffer.from(text.slice(0, maxBytes + 1))
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
