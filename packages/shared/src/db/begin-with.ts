import { Query, type Connection, type QueryResult } from 'pg'

/** Methods that pg calls on a query, which are missing from its type declarations. */
interface QueryProtocol {
  submit(connection: Connection): Error | null
  handleCommandComplete(message: unknown, connection: Connection): void
}

type Callback = (error: Error | undefined, result: QueryResult) => void

/**
 * A query that begins a transaction and executes its first statement, for `client.query`. It saves
 * BEGIN's round trip. When BEGIN fails, the server skips all messages up to the next Sync, and that
 * comes after the statement. Two queries sent at once (pg's `pipeline`) have a Sync in between: the
 * statement would be executed outside a transaction, and commit.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export function beginWith(text: string, values: unknown[], callback: Callback): Query {
  const config = { text, values, queryMode: 'extended' }
  const query = new Query(config, undefined, callback) as Query & QueryProtocol
  const submit = query.submit.bind(query)
  const handleCommandComplete = query.handleCommandComplete.bind(query)
  let hasBegun = false
  return Object.assign(query, {
    submit(connection: Connection) {
      const { stream } = connection
      stream.cork()
      try {
        connection.parse({ name: '', text: 'BEGIN', types: [] }, true)
        connection.bind({}, true)
        connection.execute({}, true)
        return submit(connection)
      } finally {
        stream.uncork()
      }
    },
    handleCommandComplete(message: unknown, connection: Connection) {
      if (hasBegun) handleCommandComplete(message, connection)
      hasBegun = true
    },
  })
}
