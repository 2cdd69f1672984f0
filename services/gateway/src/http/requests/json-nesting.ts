const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether JSON nests deeper than `limit` levels. Only counts the brackets outside of strings; the
 * parser decides whether the text is JSON at all.
 */
export function nestsDeeperThan(limit: number, body: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at + 1)
    else if (OPENING.has(byte)) {
      depth += 1
      if (depth > limit) return true
    } else if (CLOSING.has(byte)) depth -= 1
  }
  return false
}

function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let backslashes = 0
    while (body[at - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return body.length
}
