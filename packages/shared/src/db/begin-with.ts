import { Query, type Connection, type QueryResult } from 'pg'

/** What pg's Query does beyond its published types: the interface that it asks of custom queries. */
interface QueryProtocol {
  submit(connection: Connection): Error | null
  handleCommandComplete(message: unknown, connection: Connection): void
}

type Callback = (error: Error | undefined, result: QueryResult) => void

/**
 * A statement that begins a transaction and is its first, for `client.query`: it saves BEGIN's round
 * trip. Safe where sending two queries at once (pg's `pipeline`) is not: the server skips everything
 * up to the next Sync message when BEGIN fails, and there is none before the statement. As a query of
 * its own, the statement would then be executed outside a transaction, and commit.
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
