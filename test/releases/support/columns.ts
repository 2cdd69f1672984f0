import { connect } from './dump-database.ts'

/** A column, as far as statements of another release depend on it. */
interface Column {
  readonly name: string
  readonly type: string
  /** Whether a row can be written without a value for it. */
  readonly canBeLeftOut: boolean
  readonly acceptsNull: boolean
}

/**
 * Returns why a release can't write to a schema as it does to its own, which is in the first
 * database: columns must stay with their types, not become stricter, and new ones must not need a
 * value.
 */
export async function stricterColumns(released: string, now: string): Promise<readonly string[]> {
  const [before, after] = [await readColumns(released), await readColumns(now)]
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]))
  const missingOrStricter = [...before].flatMap(([name, column]) => {
    const found = after.get(name)
    if (found === undefined) return [`${name} is missing`]
    return [
      ...(found.type === column.type ? [] : [`${name} is ${found.type} instead of ${column.type}`]),
      ...(column.acceptsNull && !found.acceptsNull ? [`${name} no longer accepts null`] : []),
      ...(column.canBeLeftOut && !found.canBeLeftOut ? [`${name} needs a value`] : []),
    ]
  })
  const demanding = [...after].flatMap(([name, { canBeLeftOut }]) =>
    before.has(name) || canBeLeftOut || !tables.has(name.split('.')[0])
      ? []
      : [`the new column ${name} needs a value`],
  )
  return [...missingOrStricter, ...demanding]
}

async function readColumns(url: string): Promise<ReadonlyMap<string, Column>> {
  await using client = await connect(url)
  const { rows } = await client.query<Column>(`
    SELECT concat_ws('.', relname, attname) AS name,
      concat_ws(' ', format_type(atttypid, atttypmod), collname) AS type,
      NOT attnotnull OR atthasdef OR attidentity <> '' AS "canBeLeftOut",
      NOT attnotnull AS "acceptsNull"
    FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY relname, attnum`)
  return new Map(rows.map((row) => [row.name, row]))
}
