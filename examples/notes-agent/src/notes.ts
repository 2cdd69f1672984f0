import { Pool } from 'pg'

/** Notes in a Postgres table, which is created on first use. */
export class Notes {
  readonly #pool: Pool
  #table: Promise<unknown> | undefined

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000 })
    this.#pool.on('error', () => {})
  }

  /** Whether the database responds. */
  async isReady(): Promise<boolean> {
    return await this.#ensureTable().then(
      () => true,
      () => false,
    )
  }

  /** Stores a note. */
  async add(text: string): Promise<void> {
    await this.#ensureTable()
    await this.#pool.query('INSERT INTO note (text) VALUES ($1)', [text])
  }

  /** Returns all notes, oldest first. */
  async all(): Promise<string[]> {
    await this.#ensureTable()
    const { rows } = await this.#pool.query<{ text: string }>('SELECT text FROM note ORDER BY id')
    return rows.map(({ text }) => text)
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #ensureTable(): Promise<void> {
    this.#table ??= this.#pool.query(
      `CREATE TABLE IF NOT EXISTS note
        (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)`,
    )
    await this.#table.catch((error: unknown) => {
      this.#table = undefined
      throw error
    })
  }
}
