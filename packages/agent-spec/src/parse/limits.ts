/**
 * Bounds of an agent spec. A real file has a few hundred keys and values at a depth below 12. The
 * bounds limit the cost of 256 KiB of hostile input to about 10 ms of processor time.
 */
export const LIMITS = {
  /** Longest text in UTF-16 units. A safety net: callers have their own, smaller limit (413). */
  textLength: 1024 * 1024,
  lines: 4_000,
  /** Lexical tokens of any kind, including white space and comments. */
  lexemes: 8_000,
  /** Scalars, indicators, anchors and tags, which cost time when nodes are composed. */
  structure: 3_000,
  depth: 48,
  aliases: 200,
  /** Values of the document with its aliases expanded: each is checked. */
  expandedNodes: 5_000,
  /** Nodes and characters of the document with its aliases expanded. */
  expandedWeight: 1024 * 1024,
} as const
