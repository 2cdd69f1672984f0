import { Readable } from 'node:stream'

import { Code, ConnectError } from '@connectrpc/connect'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { streamFor } from '../../backend/call-options.ts'
import type { Clients } from '../../backend/clients.ts'
import { Choice } from '../../http/schemas/kinds.ts'
import { otlpExample, traceExample } from './examples.ts'
import {
  exportFormats,
  type ExportFormat,
  type ExportFormatName,
  type TraceName,
} from './export-formats.ts'
import { heldPieces } from './held-pieces.ts'

/** The time limit for reading one trace. */
const TRACE_TIMEOUT_MS = 15_000

/** The query parameter that selects the format of an export. */
export const FormatQuery = Type.Object({
  format: Type.Unsafe<ExportFormatName>({
    ...Choice(['otlp', 'jsonl'], {
      description:
        '`otlp`: a request of OTLP in JSON, which collectors accept; `jsonl`: a line for each ' +
        'trace, as `GET` of the trace returns it',
    }),
    default: 'otlp',
  }),
})

/** The documented response of an export. */
export const exportResponse = {
  description: 'The traces',
  content: {
    'application/json': {
      schema: Type.Unsafe<Readable>({
        title: 'OtlpTraces',
        type: 'object',
        description: 'An ExportTraceServiceRequest of OTLP in JSON',
      }),
      example: otlpExample,
    },
    'application/x-ndjson': {
      schema: Type.Unsafe<Readable>({ type: 'string', description: 'A trace in each line' }),
      example: `${JSON.stringify(traceExample)}\n`,
    },
  },
}

/** What an export reads, and how it is written. */
export interface Export {
  readonly traces: readonly TraceName[]
  readonly format: ExportFormatName
}

/**
 * Sends traces one by one, each when the client has taken the one before, and when it is the user's
 * turn. Rejects if the first one can't be read, so that the error can be sent; an error after it
 * breaks off the response, and so do too many bytes that the user has not read.
 */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  clients: Pick<Clients, 'traces'>,
  { traces, format: name }: Export,
): Promise<FastifyReply> {
  const format = exportFormats[name]
  const options = {
    ...streamFor(request, reply, { isEndless: false }),
    timeoutMs: TRACE_TIMEOUT_MS,
  }
  const write: Write = async (trace) =>
    await request.inTurn(reply, async () => await format.write(clients.traces, trace, options))
  const texts = textsOf(traces, format, write)
  const pieces = piecesOf(request, texts)
  const first = await pieces.next()
  reply.header('cache-control', 'no-store').type(format.mediaType)
  return await reply.send(Readable.from(withFirst(first, pieces)))
}

/** The texts of traces in pieces, which count as unread bytes of the user. */
async function* piecesOf(
  request: FastifyRequest,
  texts: AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  for await (const text of texts) yield* heldPieces(text, request.pending)
}

/** Reads a trace and writes its text. */
type Write = (trace: TraceName) => Promise<string>

async function* textsOf(
  traces: readonly TraceName[],
  format: ExportFormat,
  write: Write,
): AsyncGenerator<string> {
  let before = format.start
  for (const trace of traces) {
    const text = await textOf(() => write(trace), traces.length === 1)
    if (text === '') continue
    yield before + text
    before = format.separator
  }
  yield (before === format.start ? format.start : '') + format.end
}

/** A trace of a list can have been deleted since. */
async function textOf(read: () => Promise<string>, isOnly: boolean): Promise<string> {
  try {
    return await read()
  } catch (error) {
    if (isOnly || ConnectError.from(error).code !== Code.NotFound) throw error
    return ''
  }
}

async function* withFirst(
  first: IteratorResult<Buffer>,
  others: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  yield* others
}
