import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

// Loaded into the catalog by `--import`: writes each statement that it sends to a file, with its
// values, so that the bare service can send the same ones.
const require = createRequire(resolve(import.meta.dirname, '../../../packages/shared/package.json'))
const { Client } = require('pg') as {
  Client: { prototype: { query: (...args: unknown[]) => unknown } }
}
const send = Client.prototype.query
const file = process.env['RECORD_QUERIES_TO'] ?? ''

Client.prototype.query = function (this: unknown, ...args: unknown[]): unknown {
  const [text, values] = args
  const shown = Array.isArray(values) ? values.map(shownValue) : []
  if (typeof text === 'string') appendFileSync(file, `${JSON.stringify({ text, values: shown })}\n`)
  return send.apply(this, args)
}

function shownValue(value: unknown): unknown {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array)
    return { bytes: Buffer.from(value).toString('base64') }
  return value instanceof Date ? { time: value.toISOString() } : value
}
