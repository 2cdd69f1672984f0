import { types, type CustomTypesConfig } from 'pg'

const INT8 = 20
const INT8_ARRAY = 1016

/**
 * How column values are represented. `bigint` (also `count(*)`) is a `number`; a value beyond 2^53
 * fails the query instead of being rounded. `timestamptz` is a `Date`, `numeric` stays a string,
 * `jsonb` is parsed, `bytea` is a `Buffer`.
 */
export const valueTypes: CustomTypesConfig = {
  getTypeParser(id, format) {
    if (format === 'binary') return types.getTypeParser(id, format)
    if (Number(id) === INT8) return parseSafeInteger
    if (Number(id) === INT8_ARRAY) {
      const parse: (text: string) => (string | null)[] = types.getTypeParser(id, format)
      return (text: string) =>
        parse(text).map((item) => (item === null ? null : parseSafeInteger(item)))
    }
    return types.getTypeParser(id, format)
  },
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the bigint ${text} does not fit in a number`)
  return value
}
