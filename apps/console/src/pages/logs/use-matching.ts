import { useMemo } from 'react'

import type { LogLine } from './log-line.ts'

/** The lines with a text, in upper or lower case. Looks at each line once. */
export function useMatching(
  lines: readonly LogLine[],
  text: string | undefined,
): readonly LogLine[] {
  const matches = useMemo(() => matcherOf(text), [text])
  return useMemo(() => (matches === undefined ? lines : lines.filter(matches)), [lines, matches])
}

function matcherOf(text: string | undefined): ((line: LogLine) => boolean) | undefined {
  if (text === undefined) return undefined
  const words = text.toLowerCase()
  const known = new WeakMap<LogLine, boolean>()
  return (line) => {
    const before = known.get(line)
    if (before !== undefined) return before
    const isMatch = line.text.toLowerCase().includes(words)
    known.set(line, isMatch)
    return isMatch
  }
}
