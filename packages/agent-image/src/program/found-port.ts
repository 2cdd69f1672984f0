const LARGEST = 65_535
/** Where a program names its port, the surest first. */
const NAMED: readonly RegExp[] = [
  // process.env.PORT ?? 3000, os.environ.get("PORT", "8080"), getenv('PORT') or 8080
  /\bPORT\b["'`\])]*\s*(?:,|\?\?|\|\||\bor\b)\s*["'`]?(\d{2,5})\b/,
  /\.listen\(\s*(\d{2,5})\b/,
  /\bport\b["'`]?\s*(?::\s*\w+\s*)?[:=]\s*["'`]?(\d{2,5})\b/i,
  /--port[= ](\d{2,5})\b/,
]

/** Finds the port that a program listens on in its text. */
export function portIn(text: string): number | undefined {
  for (const pattern of NAMED) {
    const port = Number(pattern.exec(text)?.[1] ?? 0)
    if (port > 0 && port <= LARGEST) return port
  }
  return undefined
}
