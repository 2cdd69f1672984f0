/** Receives a line that describes the current step. */
export type Progress = (line: string) => void

/** Formats a size for humans: `26 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  return `${Math.round(bytes / 1e6)} MB`
}

/** Lists the first names, and how many more there are: `a, b and 3 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return `${names.slice(0, most).join(', ')}${more}`
}
