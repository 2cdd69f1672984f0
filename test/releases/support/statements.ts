import { Client } from 'pg'

import { APPLICATION, connect } from './dump-database.ts'

/** Properties that are missing from pg's type declarations. */
type Connected = Client & { readonly connectionParameters: { readonly application_name: string } }

/** Statements that read or write rows of our tables. */
const READS_OR_WRITES = /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b(?!.*\b(pg_catalog|set_config)\b)/i

/**
 * Records the statements that the services of this process send to each database, by its name,
 * until it is disposed of.
 */
export function recordStatements(): Disposable & { of(database: string): readonly string[] } {
  const recorded = new Map<string, Set<string>>()
  // oxlint-disable-next-line typescript/unbound-method -- called with its receiver below
  const { query } = Client.prototype
  const recording = function (this: Client, ...args: unknown[]): unknown {
    const { connectionParameters, database = '' } = this as Connected
    if (connectionParameters.application_name === APPLICATION)
      return Reflect.apply(query, this, args)
    const [asked] = args
    const text = typeof asked === 'string' ? asked : (asked as { readonly text?: string }).text
    const statements = recorded.get(database) ?? new Set()
    recorded.set(database, statements.add(normalized(text ?? '')))
    return Reflect.apply(query, this, args)
  }
  Client.prototype.query = recording as typeof query
  return {
    of: (database) =>
      [...(recorded.get(database) ?? [])].filter((text) => READS_OR_WRITES.test(text)).toSorted(),
    [Symbol.dispose]() {
      Client.prototype.query = query
    },
  }
}

/**
 * Returns the statements that a database can't plan: a table, a column or a unique constraint that
 * they need is missing or has another type.
 */
export async function impossibleStatements(
  url: string,
  statements: readonly string[],
): Promise<readonly string[]> {
  await using client = await connect(url)
  const problems: string[] = []
  for (const statement of statements) {
    try {
      await client.query(`EXPLAIN (GENERIC_PLAN) ${statement}`)
    } catch (error) {
      problems.push(`${(error as Error).message}: ${statement}`)
    }
  }
  return problems
}

function normalized(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim()
}
