const STEPS = [
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const

/** A number in four characters or so, like `950`, `12.3k` or `4M`. */
export function compact(value: number): string {
  for (const [unit, size] of STEPS) {
    // What would be rounded to 1000 has the next unit.
    if (value < size * 0.9995) continue
    const scaled = value / size
    return `${scaled < 99.95 ? scaled.toFixed(1).replace(/\.0$/, '') : Math.round(scaled)}${unit}`
  }
  return String(Math.round(value))
}

/** US dollars, like `$0.0021` or `$12.34`. Absent costs are unknown, which is not nothing. */
export function dollars(value: number | undefined): string {
  if (value === undefined) return '-'
  if (value === 0) return '$0'
  return value < 0.0001 ? '<$0.0001' : `$${value.toFixed(value < 0.1 ? 4 : 2)}`
}

/** A share of a whole, like `3.2 %`. */
export function percent(share: number): string {
  const value = share * 100
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`
}
