import { readFileSync } from 'node:fs'

import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { Pool, type PoolClient } from 'pg'

import { subjectOf } from './population.ts'
import { replayOf, type RecordedStatement } from './statements.ts'

/** A request of the bare gateway: an operation on an agent. Its body is not used. */
interface Request {
  readonly operation: string
  readonly index: number
}

// A bare grpc-js server: it runs the statements that the catalog runs, and returns the rows.
const { sample, operations } = JSON.parse(
  readFileSync(process.env['STATEMENTS'] ?? '', 'utf8'),
) as {
  sample: number
  operations: Record<string, RecordedStatement[]>
}
const statements = new Map(
  Object.entries(operations).map(([name, recorded]) => [
    name,
    replayOf(recorded, subjectOf(sample)),
  ]),
)
const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
})

async function run({ operation, index }: Request): Promise<Buffer> {
  const subject = subjectOf(index)
  let rows: unknown[] = []
  const client: PoolClient = await pool.connect()
  try {
    for (const { text, valuesFor } of statements.get(operation) ?? []) {
      const result = await client.query(text, valuesFor(subject))
      if (result.rows.length > 0) rows = result.rows
    }
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
  return Buffer.from(JSON.stringify(rows))
}

const server = new Server()
const asIs = (bytes: Buffer) => bytes
server.addService(
  {
    run: {
      path: '/bench.Bare/Run',
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as Request,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  },
  {
    run: (call: ServerUnaryCall<Request, Buffer>, respond: sendUnaryData<Buffer>) => {
      run(call.request).then(
        (bytes) => respond(null, bytes),
        (error: Error) => {
          console.error(error)
          respond({ code: 13, details: error.message })
        },
      )
    },
  },
)
server.bindAsync(process.env['GRPC_ADDRESS'] ?? '', ServerCredentials.createInsecure(), (error) => {
  if (error) throw error
})
