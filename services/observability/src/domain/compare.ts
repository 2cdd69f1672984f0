/** Returns a negative number if `a` comes first, a positive one if `b` does, or else 0. */
export function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
