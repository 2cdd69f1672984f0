/** A JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
/** A JSON object. Its keys come from users, so read it with `own`, not by index. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Whether a value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a string can be stored and sent everywhere: it has no NUL and no lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Returns an own property. A user's file could refer to inherited ones like `constructor`. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** A surrogate, or a unit above them: only these sort differently by code point. */
const HIGH_UNIT = /[\ud800-\uffff]/

/** Compares by code point, like `COLLATE "C"`; `<` would compare UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  // Comparing units one by one takes a hundred times as long.
  if (!HIGH_UNIT.test(a) || !HIGH_UNIT.test(b)) return compareUnits(a, b)
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return orderOfUnit(left) - orderOfUnit(right)
  }
  return a.length - b.length
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

// Surrogates encode code points above U+FFFF, so they sort after all other units.
function orderOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** Returns the entries of a record, sorted by code point of the key. */
export function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return sortByKey(Object.entries(record))
}

/** Returns a record with its keys in code point order; `__proto__` stays an ordinary key. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(sortByKey([...entries]))
}

// Looks for high units once a key, not in each comparison.
function sortByKey<Entry extends readonly [string, unknown]>(entries: Entry[]): Entry[] {
  return entries.some(([key]) => HIGH_UNIT.test(key))
    ? entries.sort(([a], [b]) => compareCodePoints(a, b))
    : entries.sort(([a], [b]) => compareUnits(a, b))
}
