/** What a replay replaces, by values of the same length. */
export interface Change {
  /** A time in nanoseconds since 1970; 0 if unknown. */
  readonly time: (ns: bigint) => bigint
  /** The id of a trace (16 bytes) or of a span (8 bytes). */
  readonly id: (bytes: Buffer) => Buffer
}
