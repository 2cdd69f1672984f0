/** Told, in one line, what is being done; the caller decides where it is shown. */
export type Progress = (line: string) => void

/** Sizes as people read them: `26 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  return `${Math.round(bytes / 1e6)} MB`
}
