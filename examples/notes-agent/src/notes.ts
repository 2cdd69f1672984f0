import { Pool } from 'pg'

/** Notes in a Postgres table, made when it is first needed. */
export class Notes {
  readonly #pool: Pool
  #table: Promise<unknown> | undefined

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000 })
    this.#pool.on('error', () => {})
  }

  /** Whether the database answers. */
  async isReady(): Promise<boolean> {
    return await this.#ensureTable().then(
      () => true,
      () => false,
    )
  }

  /** Stores a note. */
  async add(text: string): Promise<void> {
    await this.#ensureTable()
    await this.#pool.query('insert into note (text) values ($1)', [text])
  }

  /** All notes, in the order in which they came. */
  async all(): Promise<string[]> {
    await this.#ensureTable()
    const { rows } = await this.#pool.query<{ text: string }>('select text from note order by id')
    return rows.map(({ text }) => text)
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #ensureTable(): Promise<void> {
    this.#table ??= this.#pool.query(
      'create table if not exists note (id bigint generated always as identity primary key, text text not null)',
    )
    await this.#table.catch((error: unknown) => {
      this.#table = undefined
      throw error
    })
  }
}
