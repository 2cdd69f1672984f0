import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml'

/** A value of the chart. */
export interface ChartValue {
  /** Its path, as in `--set`. */
  readonly path: string
  /** Its description: the text of its `# --` comment. */
  readonly description: string
  /** Its default, as JSON. */
  readonly fallback: string
}

/**
 * Returns the documented values of a values.yaml in their order: each key with a comment that
 * begins with `# --`. Throws for a key without one, unless keys below it have one.
 */
export function chartValues(text: string): ChartValue[] {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) throw new Error('values.yaml is not a map')
  return valuesOf(contents as YAMLMap, contents.commentBefore ?? '', '')
}

function valuesOf(map: YAMLMap, firstComment: string, prefix: string): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<unknown, unknown>
    if (!isScalar(key)) throw new Error(`${prefix}: a key is not a scalar`)
    const path = `${prefix}${String(key.value)}`
    const comment = index === 0 ? `${firstComment}\n${key.commentBefore ?? ''}` : key.commentBefore
    const description = descriptionIn(comment ?? '')
    if (description !== undefined)
      return [{ path, description, fallback: JSON.stringify(plain(value)) }]
    if (!isMap(value) || value.items.length === 0)
      throw new Error(`values.yaml: ${path} has no comment that begins with "# --"`)
    return valuesOf(value as YAMLMap, value.commentBefore ?? '', `${path}.`)
  })
}

/** Returns the text after the last `--` that begins a line; undefined if there is none. */
function descriptionIn(comment: string): string | undefined {
  const lines = comment.split('\n').map((line) => line.trim())
  const start = lines.findLastIndex((line) => line.startsWith('-- '))
  return start === -1 ? undefined : lines.slice(start).join(' ').slice('-- '.length).trim()
}

function plain(value: unknown): unknown {
  return value !== null && typeof value === 'object' && 'toJSON' in value
    ? (value as { toJSON(): unknown }).toJSON()
    : value
}

/** Returns the values as a table in Markdown. */
export function valuesTable(values: readonly ChartValue[]): string {
  const rows = values.map(
    ({ path, description, fallback }) =>
      `| \`${path}\` | ${shown(fallback)} | ${description.replaceAll('|', String.raw`\|`)} |`,
  )
  return ['| value | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function shown(fallback: string): string {
  const isLong = fallback.length > 60
  return isLong ? 'see values.yaml' : `\`${fallback.replaceAll('|', String.raw`\|`)}\``
}

/** Returns a README whose part between the two markers is the table. */
export function withTable(readme: string, table: string): string {
  const [start, end] = ['<!-- values -->', '<!-- end of values -->']
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`the README lacks ${start} and ${end}`)
  return `${readme.slice(0, from)}${start}\n\n${table}\n\n${readme.slice(to)}`
}
