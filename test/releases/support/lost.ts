/**
 * Returns what a later answer lacks or says differently, as `path: problem`. It may have more
 * members, and more texts in a list of texts.
 */
export function lostIn(after: unknown, before: unknown, path = ''): readonly string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length > 0 && before.every((each) => typeof each === 'string'))
      return before.filter((each) => !after.includes(each)).map((each) => `${path}: lacks ${each}`)
    if (before.length !== after.length)
      return [`${path}: ${after.length} entries instead of ${before.length}`]
  } else if (!isObject(before) || !isObject(after)) {
    const [old, now] = [JSON.stringify(before), JSON.stringify(after)]
    return old === now ? [] : [`${path}: ${now} instead of ${old}`]
  }
  return Object.entries(before).flatMap(([name, value]) =>
    lostIn((after as Readonly<Record<string, unknown>>)[name], value, `${path}/${name}`),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
