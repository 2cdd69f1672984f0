/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Returns an object with each value changed. */
export function mapMembers<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, value)]),
  )
}
