/** The parts of a JSON Schema in which changes are found. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly contentSchema?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [bound: `min${string}` | `max${string}`]: number | undefined
}

/** Follows the reference of a part of an API document, if it is one. */
export type Resolve = <Part>(part: Part) => Part

/** What is compared, and whether clients send or read it. */
interface Comparison {
  readonly direction: 'request' | 'response'
  readonly old: Resolve
  readonly now: Resolve
  /** References that are being compared, which schemas of trees contain. */
  readonly open?: ReadonlySet<string>
}

const LISTS = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * Returns the changes of a schema that a client could notice. What clients send must stay valid,
 * and what they read must stay there.
 */
export function schemaChanges(
  before: Schema,
  after: Schema,
  comparison: Comparison,
): readonly string[] {
  const { open = new Set<string>() } = comparison
  const pair = `${before.$ref} ${after.$ref}`
  if (before.$ref !== undefined && open.has(pair)) return []
  const inside = { ...comparison, open: new Set([...open, pair]) }
  const [old, now] = [comparison.old(before), comparison.now(after)]
  return [
    ...typeChanges(old, now, comparison),
    ...(comparison.direction === 'request' ? stricterRules(old, now) : []),
    ...memberChanges(old, now, inside),
    ...partChanges('items', old.items, now.items, inside),
    ...partChanges('content', old.contentSchema, now.contentSchema, inside),
    ...partChanges('values', valuesOf(old), valuesOf(now), inside),
    ...LISTS.flatMap((list) => choiceChanges(list, old[list], now[list], inside)),
  ]
}

function typeChanges(old: Schema, now: Schema, { direction }: Comparison): readonly string[] {
  const [before, after] = [typesOf(old), typesOf(now)]
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before]
  const fits = (type: string) =>
    wide.includes(type) || (type === 'integer' && wide.includes('number'))
  if (wide.length === 0 || (narrow.length > 0 && narrow.every(fits))) return []
  return [`type ${after.join(' or ') || 'any'} instead of ${before.join(' or ') || 'any'}`]
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat() as readonly string[]
}

/** Values that were accepted, and are not any longer. */
function stricterRules(old: Schema, now: Schema): readonly string[] {
  const bounds = Object.entries(now).flatMap(([name, bound]) => {
    const known = old[name as `min${string}`]
    const isStricter =
      (name.startsWith('min') && (bound as number) > (known ?? -Infinity)) ||
      (name.startsWith('max') && (bound as number) < (known ?? Infinity))
    return isStricter ? [`${name} ${String(bound)} instead of ${known ?? 'none'}`] : []
  })
  const texts = (['pattern', 'format'] as const).flatMap((name) =>
    now[name] === undefined || now[name] === old[name] ? [] : [`${name} ${now[name]}`],
  )
  const [values, kept] = [choicesOf(old), choicesOf(now)]
  const refused = kept && (values?.filter((value) => !kept.includes(value)) ?? ['others'])
  return [...bounds, ...texts, ...(refused ?? []).map((value) => `value ${String(value)}: removed`)]
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? ('const' in schema ? [schema.const] : undefined)
}

function memberChanges(old: Schema, now: Schema, comparison: Comparison): readonly string[] {
  const members = Object.entries(old.properties ?? {}).flatMap(([name, schema]) => {
    const found = now.properties?.[name]
    if (found === undefined) return [`${name}: removed`]
    return schemaChanges(schema, found, comparison).map((change) => `${name}: ${change}`)
  })
  const [before, after] = [old.required ?? [], now.required ?? []]
  const changed =
    comparison.direction === 'request'
      ? after.filter((name) => !before.includes(name)).map((name) => `${name}: became required`)
      : before.filter((name) => !after.includes(name)).map((name) => `${name}: became optional`)
  const isClosed = now.additionalProperties === false && old.additionalProperties !== false
  const refuses = isClosed && comparison.direction === 'request'
  return [...members, ...changed, ...(refuses ? ['other members are refused'] : [])]
}

function valuesOf({ additionalProperties: values }: Schema): Schema | undefined {
  return typeof values === 'object' ? values : undefined
}

function partChanges(
  name: string,
  before: Schema | undefined,
  after: Schema | undefined,
  comparison: Comparison,
): readonly string[] {
  if (before === undefined || after === undefined) return []
  return schemaChanges(before, after, comparison).map((change) => `${name}: ${change}`)
}

/** Compares alternatives in their order; requests may get more of them, responses fewer. */
function choiceChanges(
  name: string,
  before: readonly Schema[] = [],
  after: readonly Schema[] = [],
  comparison: Comparison,
): readonly string[] {
  const [few, many] = comparison.direction === 'request' ? [before, after] : [after, before]
  if (few.length > many.length) return [`${after.length} ${name} instead of ${before.length}`]
  return before.flatMap((schema, index) => partChanges(name, schema, after[index], comparison))
}
