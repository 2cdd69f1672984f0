const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}
const QUANTITY = /^(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)$/
const MAX_LENGTH = 32

/**
 * Returns a Kubernetes quantity (`100m`, `1.5Gi`, `2e3`) as a number; undefined if it isn't valid
 * or not greater than zero.
 */
export function parseQuantity(text: string): number | undefined {
  const match = text.length <= MAX_LENGTH ? QUANTITY.exec(text) : null
  if (!match) return undefined
  const [, digits = '', exponent, suffix = ''] = match
  const value =
    exponent === undefined
      ? Number(digits) * (SUFFIXES[suffix] ?? Number.NaN)
      : Number(digits + exponent)
  return value > 0 && Number.isFinite(value) ? value : undefined
}
