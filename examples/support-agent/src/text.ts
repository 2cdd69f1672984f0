const STOP_WORDS = new Set(
  [
    'a an and any are as at be by can could do does for from get have how i if in is it its me my',
    'of on or our please the there this that they to was we what when where which who why will',
    'with would you your',
  ].flatMap((line) => line.split(' ')),
)

/** Returns the terms of a text: lower case, without accents, stop words and English endings. */
export function searchTerms(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem)
}

/**
 * Removes English endings, so that `invoices` finds `invoice` and `cancelled` finds `cancel`. It is
 * deliberately simple.
 */
function stem(word: string): string {
  const singular = word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word
  if (singular.length < 5) return singular
  const cut = singular.replace(/(?:ing|ed)$/, '')
  if (cut.length < 3) return singular
  return cut.replace(/([b-df-hj-np-rtv-z])\1$/, '$1').replace(/e$/, '')
}

/** Splits simple prose like the FAQ into sentences; it doesn't know abbreviations. */
export function sentences(text: string): string[] {
  return (text.match(/[^.!?]+[.!?]+["”]?(?=\s|$)|[^.!?]+$/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}

/** Counts tokens by this agent's own rule: words, numbers and single punctuation marks. */
export function countTokens(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0
}
