import { Client } from 'pg'

/** The name of this code's own connections. */
export const APPLICATION = 'release'

/**
 * Writes a database as SQL that `restoreDatabase` and psql accept: the tables, their rows, and then
 * constraints, indexes and triggers, which so don't change or reject rows.
 */
export async function dumpDatabase(url: string): Promise<string> {
  await using client = await connect(url)
  const { tables, rest } = await readSchema(client)
  const rows: string[] = []
  for (const name of Object.keys(tables)) rows.push(...(await insertionOf(client, name)))
  return [...Object.values(tables), ...rows, ...rest].map((each) => `${each};\n`).join('')
}

/** Writes only what `dumpDatabase` writes about the schema, as a list of statements. */
export async function dumpSchema(url: string): Promise<readonly string[]> {
  await using client = await connect(url)
  const { tables, rest } = await readSchema(client)
  return [...Object.values(tables), ...rest]
}

/** Runs a dump in a database, whose tables it replaces. */
export async function restoreDatabase(url: string, dump: string): Promise<void> {
  await using client = await connect(url)
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await client.query(dump)
}

/** Opens a connection that is closed when it is disposed of. */
export async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, application_name: APPLICATION })
  await client.connect()
  // The texts of values and definitions depend on these.
  await client.query(`SET timezone = 'UTC'; SET search_path = public; SET intervalstyle = postgres`)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

interface Schema {
  /** The CREATE TABLE of each table, by its name. */
  readonly tables: Readonly<Record<string, string>>
  readonly rest: readonly string[]
}

async function readSchema(client: Client): Promise<Schema> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(COLUMNS)
  const tables = rows.map(({ name, columns }) => [
    name,
    `CREATE TABLE ${name} (\n  ${columns.join(',\n  ')}\n)`,
  ])
  const rest: string[] = []
  for (const query of [EXTENSIONS, SEQUENCES, CONSTRAINTS, INDEXES, FUNCTIONS, TRIGGERS]) {
    const found = await client.query<{ statement: string }>(query)
    rest.push(...found.rows.map(({ statement }) => statement.trim()))
  }
  return { tables: Object.fromEntries(tables) as Schema['tables'], rest }
}

/** The statement that inserts all rows of a table; none if it is empty. */
async function insertionOf(client: Client, table: string): Promise<readonly string[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => `quote_nullable(${name}::text)`).join(', ')
  const { rows } = await client.query<{ values: string }>(
    `SELECT concat_ws(', ', ${values}) AS values FROM ${table} ORDER BY 1`,
  )
  if (rows.length === 0) return []
  const into = `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE`
  return [`${into} VALUES\n${rows.map((row) => `(${row.values})`).join(',\n')}`]
}

const COLUMNS = `
  SELECT quote_ident(relname) AS name, array_agg(concat_ws(' ',
    quote_ident(attname),
    format_type(atttypid, atttypmod),
    'COLLATE ' || quote_ident(nullif(collname, 'default')),
    CASE attidentity WHEN 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END,
    'DEFAULT ' || pg_get_expr(adbin, adrelid),
    CASE WHEN attnotnull THEN 'NOT NULL' END
  ) ORDER BY attnum) AS columns
  FROM pg_class
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  GROUP BY relname ORDER BY relname COLLATE "C"`

const EXTENSIONS = `
  SELECT 'CREATE EXTENSION IF NOT EXISTS ' || quote_ident(extname) AS statement
  FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY 1`

const SEQUENCES = `
  SELECT format(
    'SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT coalesce(max(%I), 1) FROM %s))',
    attrelid::regclass, attname, attname, attrelid::regclass) AS statement
  FROM pg_attribute
  JOIN pg_class ON pg_class.oid = attrelid AND relnamespace = 'public'::regnamespace
  WHERE attidentity <> '' ORDER BY 1`

// Foreign keys need the unique constraints that they refer to. NOT NULL belongs to the column.
const CONSTRAINTS = `
  SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s',
    conrelid::regclass, conname, pg_get_constraintdef(oid)) AS statement
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')
  ORDER BY contype = 'f', conrelid::regclass::text COLLATE "C", conname COLLATE "C"`

const INDEXES = `
  SELECT pg_get_indexdef(indexrelid) AS statement
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
  ORDER BY relname COLLATE "C"`

const OF_EXTENSION = `
  EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`

const FUNCTIONS = `
  SELECT pg_get_functiondef(oid) AS statement FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND NOT ${OF_EXTENSION}
  ORDER BY proname COLLATE "C"`

const TRIGGERS = `
  SELECT pg_get_triggerdef(pg_trigger.oid) AS statement
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
  ORDER BY tgrelid::regclass::text COLLATE "C", tgname COLLATE "C"`
