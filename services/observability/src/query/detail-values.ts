/**
 * Maximum number of JSON values in the details of one response. Each is an object in memory of this
 * service and of the gateway, so more would block both.
 */
export const MAX_DETAIL_VALUES = 50_000

/** Returns SQL for the number of values in columns with JSON, approximately. */
export function valuesIn(columns: readonly string[]): string {
  const counts = columns.flatMap((column) =>
    [',', '[', '{'].map((mark) => `countSubstrings(${column}, '${mark}')`),
  )
  return `(${counts.join(' + ')})`
}
