/**
 * Bounds of what is read as an agent spec. A real file has a few hundred nodes at a depth below 12;
 * the bounds keep the worst 256 KiB of hostile input cheap, whoever calls.
 */
export const LIMITS = {
  /**
   * Longest text in UTF-16 units. Callers have a limit of their own (413); this one is the safety
   * net.
   */
  textLength: 1024 * 1024,
  /** Lexical tokens of any kind, white space and comments included. */
  lexemes: 60_000,
  /** Scalars, indicators, anchors, tags: what costs time when nodes are composed. */
  structure: 20_000,
  depth: 48,
  aliases: 200,
  /** Nodes and characters of the document once every alias is replaced by what it names. */
  expandedWeight: 1024 * 1024,
} as const
