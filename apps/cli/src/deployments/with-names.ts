/**
 * A value for JSON with the name of each person next to their id: `created_by_name` after
 * `created_by`, for all members that end in `_by`. Without a name, there is only the id.
 */
export function withNames(value: unknown, names: ReadonlyMap<string, string> | undefined): unknown {
  if (typeof value !== 'object' || value === null || names === undefined) return value
  if (Array.isArray(value)) return value.map((each) => withNames(each, names))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const name = key.endsWith('_by') ? names.get(String(member)) : undefined
      const own: [string, unknown] = [key, withNames(member, names)]
      return name === undefined ? [own] : [own, [`${key}_name`, name]]
    }),
  )
}
