/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** The operations of a document by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** Returns an object with each value changed. */
export function mapMembers<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, value)]),
  )
}

/** Returns the document's paths with each operation changed. */
export function mapOperations(paths: Paths, change: (operation: Json) => Json): Paths {
  return mapMembers(paths, (_path, operations) =>
    mapMembers(operations, (_method, operation) => change(operation)),
  )
}
