const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/**
 * Values as a line of bars, a character each. Nothing is shown for unknown values, and the lowest
 * bar only for 0: what is more is always visible.
 */
export function sparkline(values: readonly (number | undefined)[]): string {
  const most = values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const top = LEVELS.length - 1
  return values
    .map((value) => {
      if (value === undefined) return ' '
      if (value <= 0) return LEVELS[0]
      return LEVELS[Math.max(1, Math.round((value / most) * top))]
    })
    .join('')
}
