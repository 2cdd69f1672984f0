// Serves ClickHouse's HTTP interface with the embedded engine, for tests of a failing server.
// Arguments: data directory, port, and for https the files of a certificate and its key.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { Session } from 'chdb'

const [dataDirectory = '', port = '', chainFile, keyFile = ''] = process.argv.slice(2)
mkdirSync(dataDirectory, { recursive: true })
const session = new Session(dataDirectory)

/** A user with the rights of the service, which has none to change tables. */
const SERVICE_USER = 'service'

const answer: RequestListener = (request, response) => {
  run(request).then(
    (bytes) => response.end(bytes),
    (error: unknown) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
  )
}

// The parameters of a query are in its URL. ClickHouse takes URLs of 1 MiB.
const options = { maxHeaderSize: 1_048_576 }
const server =
  chainFile === undefined
    ? createServer(options, answer)
    : createSecureServer(
        { ...options, cert: readFileSync(chainFile), key: readFileSync(keyFile) },
        answer,
      )
server.listen(Number(port), '127.0.0.1')

async function run(request: IncomingMessage): Promise<Uint8Array> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const sent = await buffer(request)
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  const query = searchParams.get('query') ?? ''
  if (INSERT_BLOCKS.test(query)) return await insertBlocks(query, body)
  const sql = [query, body.toString('utf8')].filter((text) => text !== '').join('\n')
  if (userOf(request) === SERVICE_USER && !/^\s*(SELECT|INSERT)\b/.test(sql))
    throw new Error(
      `Code: 497. DB::Exception: ${SERVICE_USER}: Not enough privileges. (ACCESS_DENIED)`,
    )
  const parameters = Object.fromEntries(
    [...searchParams].flatMap(([key, value]) =>
      key.startsWith('param_') ? [[key.slice(6), unescapeTabs(value)]] : [],
    ),
  )
  const isBound = Object.keys(parameters).length > 0
  const result = await (isBound ? session.queryBindAsync(sql, parameters) : session.queryAsync(sql))
  return result.bytes()
}

/** An insert whose body is binary. A session takes it from a file. */
const INSERT_BLOCKS = /^(\s*INSERT INTO \w+ \([^)]*\))([^]*FORMAT Native\s*)$/

async function insertBlocks(query: string, body: Buffer): Promise<Uint8Array> {
  const file = join(dataDirectory, `${randomUUID()}.native`)
  await writeFile(file, body)
  try {
    const sql = query.replace(INSERT_BLOCKS, `$1 FROM INFILE '${file}' $2`)
    return (await session.queryAsync(sql)).bytes()
  } finally {
    await rm(file)
  }
}

function userOf(request: IncomingMessage): string | undefined {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return Buffer.from(basic, 'base64').toString('utf8').split(':')[0]
}

/** Parameters are escaped over HTTP, and the session escapes them itself. */
function unescapeTabs(text: string): string {
  const names: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', 0: '\0' }
  return text.replace(/\\(.)/gs, (_, character: string) => names[character] ?? character)
}
