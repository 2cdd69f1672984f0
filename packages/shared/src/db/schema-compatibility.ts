/** A migration as far as its compatibility with older releases is concerned. */
export interface CompatibilityMark {
  /**
   * The oldest migration that a release must know to work with the schema after this one. Set by
   * migrations that remove or change something; the others work with older releases.
   */
  readonly oldestCompatible?: string
}

/** What a database says about its schema. */
export interface SchemaState {
  /** The names of its migrations. */
  readonly applied: readonly string[]
  /**
   * The oldest migration that a release must know to work with it; undefined if no release has
   * recorded one.
   */
  readonly oldestCompatible: string | undefined
}

/** The result of bringing a schema up to date. */
export interface MigrationOutcome {
  /** The migrations that ran. */
  readonly applied: readonly string[]
  /** The migrations of newer releases. If there are any, nothing was changed. */
  readonly newer: readonly string[]
}

/** The schema doesn't fit this release. Waiting won't help; the message says what to do. */
export class SchemaMismatch extends Error {}

/**
 * Returns the migrations of a schema that this release doesn't know, if a newer release applied
 * them and this one can work with the result. Throws SchemaMismatch if it can't.
 */
export function newerMigrations(
  known: readonly string[],
  { applied, oldestCompatible }: SchemaState,
): string[] {
  const newer = applied.filter((name) => !known.includes(name)).toSorted()
  if (newer.length === 0) return []
  const missing = known.filter((name) => !applied.includes(name))
  if (missing.length > 0) {
    throw new SchemaMismatch(
      'the schema and this release come from different lines of development: the schema has ' +
        `${newer.join(', ')}, which this release doesn't know, and lacks ${missing.join(', ')}. ` +
        'Run a release that has all of them',
    )
  }
  const required = oldestCompatible ?? newer.at(-1)
  if (required === undefined || !known.includes(required)) {
    throw new SchemaMismatch(
      `the schema is newer than this release, which can't work with it: it has ` +
        `${newer.join(', ')}. Run a release that knows migration ${required}; ` +
        `this one ends with ${known.toSorted().at(-1)}. Migrations are never undone`,
    )
  }
  return newer
}

/** Returns `oldestCompatible` of the schema once it has all of the migrations. */
export function compatibleFrom(
  migrations: Readonly<Record<string, CompatibilityMark>>,
  { applied, oldestCompatible }: SchemaState,
): string | undefined {
  const names = Object.keys(migrations).toSorted()
  const marks = names.flatMap((name) => {
    const mark = migrations[name]?.oldestCompatible
    if (mark === undefined) return []
    if (!names.includes(mark) || mark > name)
      throw new Error(`oldestCompatible of ${name} must name it or an earlier migration`)
    return [mark]
  })
  // A schema from before the mark existed may have been changed in any way.
  const before = oldestCompatible ?? applied.toSorted().at(-1) ?? names[0]
  return [...marks, ...(before === undefined ? [] : [before])].toSorted().at(-1)
}

/** Describes an outcome for an operator. */
export function describeOutcome({ applied, newer }: MigrationOutcome): string {
  if (newer.length > 0) {
    return (
      `the schema is newer than this release, which can work with it: it also has ` +
      `${newer.join(', ')}. Nothing was changed`
    )
  }
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'the schema is up to date'
}
