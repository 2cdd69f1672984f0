/** Longer text is not read again. */
const MAX_LENGTH = 4 * 1024 * 1024

/**
 * Parses JSON. Numbers that JSON doesn't have, which Python and others write, become texts:
 * `NaN`, `Infinity` and `-Infinity`. Throws for other text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const quoted = text.length <= MAX_LENGTH ? quoteNumbers(text) : text
    if (quoted === text) throw error
    return JSON.parse(quoted)
  }
}

/** Puts the numbers that JSON doesn't have in quotes, unless they are in a string. */
function quoteNumbers(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text
  const parts: string[] = []
  let end = 0
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', end)) {
    parts.push(withQuotes(text.slice(end, quote)))
    end = endOfString(text, quote)
    parts.push(text.slice(quote, end))
  }
  return parts.join('') + withQuotes(text.slice(end))
}

function withQuotes(text: string): string {
  return text.replaceAll(/-?\bInfinity\b|\bNaN\b/g, '"$&"')
}

/** Returns the end of the string that starts at a quote, or of the text. */
function endOfString(text: string, quote: number): number {
  const pattern = /["\\]/g
  pattern.lastIndex = quote + 1
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] === '"') return pattern.lastIndex
    pattern.lastIndex += 1
  }
  return text.length
}
