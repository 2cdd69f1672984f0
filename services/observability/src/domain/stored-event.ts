/** An event of a span, as it is stored: in JSON, with all digits of its integers. */
export interface StoredEvent {
  readonly time_ns: string
  readonly name: string
  readonly attributes: object
}
