/** Receives a line that says what is being done. */
export type Progress = (line: string) => void

/** Formats a size for people: `26 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  return `${Math.round(bytes / 1e6)} MB`
}
