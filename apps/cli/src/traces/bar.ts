const FULL = '█'
/** Eighths of a character, from the left. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A part of a whole, as a bar at its place in some columns. It is always visible. */
export function bar(start: number, length: number, whole: number, columns: number): string {
  if (whole <= 0) return FULL.repeat(columns)
  const from = Math.min(Math.floor((start / whole) * columns), columns - 1)
  const eighths = Math.round((Math.min(start + length, whole) / whole) * columns * 8) - from * 8
  const shown = Math.max(1, Math.min(eighths, (columns - from) * 8))
  return `${' '.repeat(from)}${FULL.repeat(Math.floor(shown / 8))}${PARTS[shown % 8]}`
}
