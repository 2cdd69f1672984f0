/** Most UTF-8 bytes that one UTF-16 code unit takes. */
const MAX_BYTES_PER_UNIT = 3

/**
 * The longest beginning of `text` that takes at most `maxBytes` in UTF-8 and doesn't cut a
 * character in two.
 */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * MAX_BYTES_PER_UNIT <= maxBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // Bytes 10xxxxxx go on with a character that began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
