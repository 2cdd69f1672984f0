import type { AuthoredFile } from './authored-files.ts'

const MAX_LINES = 250

/** Reports a file of more than 250 lines: it holds more than one idea. */
export function fileSize({ path, lines }: AuthoredFile): string[] {
  return lines.length > MAX_LINES
    ? [`${path}:${lines.length}: the file has more than ${MAX_LINES} lines; split it`]
    : []
}
