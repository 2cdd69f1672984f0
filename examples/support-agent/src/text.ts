const STOP_WORDS = new Set(
  'a an and any are as at be by can could do does for from get have how i if in is it its me my of on or our please the there this that they to was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** Words as the index knows them: lower case, without accents, stop words and plural endings. */
export function searchTerms(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem)
}

/**
 * Takes English endings off, so that `invoices` finds `invoice` and `cancelled` finds `cancel`.
 * Rough on purpose.
 */
function stem(word: string): string {
  const singular = word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word
  if (singular.length < 5) return singular
  const cut = singular.replace(/(?:ing|ed)$/, '')
  if (cut.length < 3) return singular
  return cut.replace(/([b-df-hj-np-rtv-z])\1$/, '$1').replace(/e$/, '')
}

/**
 * Sentences in their order. Good for prose as the FAQ has it; abbreviations with a full stop would
 * be cut.
 */
export function sentences(text: string): string[] {
  return (text.match(/[^.!?]+[.!?]+["”]?(?=\s|$)|[^.!?]+$/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}

/** Tokens as this agent's model counts them: words, numbers and single punctuation marks. */
export function countTokens(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0
}
