const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }
const AMOUNT = /^\$?(\d+(?:\.\d+)?)([kmb]?)$/i
const BOUND = /^(>=|<=|>|<|)(.+)$/

/** The bounds of a filter. Both are part of the range. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

/** Parses a number like `10000`, `10k` or `1.5M`. */
export function parseAmount(text: string): number {
  const [, digits, suffix = ''] = AMOUNT.exec(text) ?? []
  if (digits === undefined)
    throw new Error(`"${text}" is not a number; write one like 500, 10k or 1.5M`)
  return Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1)
}

/** Returns a function that parses whole numbers between two others. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = parseAmount(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new Error(`"${text}" is not a whole number from ${min} to ${max}`)
  }
}

/** Parses bounds of whole numbers like `10k`, `'>10k'`, `'<500'` or `1k..5k`. */
export function parseRange(text: string): Range {
  const dots = text.indexOf('..')
  if (dots >= 0)
    return checked(text, { min: whole(text.slice(0, dots)), max: whole(text.slice(dots + 2)) })
  const [, sign = '', digits = ''] = BOUND.exec(text) ?? []
  const value = whole(digits)
  if (sign === '<') return checked(text, { max: value - 1 })
  if (sign === '<=') return { max: value }
  return { min: sign === '>' ? value + 1 : value }
}

/** Parses a lower bound like `0.10` or `'>0.10'`. */
export function parseMinimum(text: string): number {
  return parseAmount(text.trim().replace(/^>=?/, '').trim())
}

function whole(text: string): number {
  return Math.round(parseAmount(text.trim()))
}

function checked(text: string, range: Range): Range {
  const { min = 0, max = Infinity } = range
  if (min > max) throw new Error(`"${text}" is an empty range`)
  return range
}
