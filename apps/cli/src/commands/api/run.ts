import { ApiError, type Client } from '@slipway/client'

import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { explain } from '../../command/explain.ts'
import { readInput } from '../../command/read-input.ts'
import { CliError, usageError } from '../../errors/cli-error.ts'
import { lines } from '../../output/blocks.ts'
import type { ApiFlags, Method } from './options.ts'
import { apiPath, parseFields, parseHeaders, withQuery } from './request.ts'

/** A request as the user wrote it. */
interface ApiRequest {
  readonly method: Method
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** The client's methods without their types: the path is the user's. */
type RawMethod = (path: string, init: object) => Promise<{ readonly response: Response }>

export const api: Implementation<ApiFlags, [method: Method, path: string], unknown> = {
  async *run(cli, flags, method, given) {
    let request: ApiRequest | undefined = await readRequest(cli, flags, method, given)
    const client = await cli.client()
    while (request !== undefined) {
      const { response } = await send(cli, client, request)
      if (flags.include) printHead(cli, response)
      if (!/^application\/([\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
        for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
          cli.printer.rawText(piece)
        return
      }
      const body: unknown = await response.json()
      yield body
      request = flags.paginate ? nextPage(request, body) : undefined
    }
  },

  view: (body) => [lines(...JSON.stringify(body, undefined, 2).split('\n'))],
}

async function readRequest(
  cli: Cli,
  { field = [], input, header = [], paginate }: ApiFlags,
  method: Method,
  given: string,
): Promise<ApiRequest> {
  const { url } = await cli.server()
  const path = apiPath(url, given)
  const headers = parseHeaders(header)
  if (paginate && method !== 'GET') throw usageError('--paginate is only for GET')
  if (input !== undefined && field.length > 0)
    throw usageError('--input and --field contradict each other')
  const fields = parseFields(field)
  if (method === 'GET') {
    if (input !== undefined) throw usageError('a GET has no body', 'use --field for parameters')
    return { method, path: withQuery(path, fields), body: undefined, headers }
  }
  const fromFields = field.length > 0 ? JSON.stringify(fields) : undefined
  const body =
    input === undefined
      ? fromFields
      : await readInput(cli, { option: '--input', path: input, instead: 'use --field, or a pipe' })
  return { method, path, body, headers }
}

async function send(
  cli: Cli,
  client: Client,
  { method, path, body, headers }: ApiRequest,
): Promise<{ readonly response: Response }> {
  const call = client[method] as unknown as RawMethod
  try {
    return await call(path, {
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body,
      bodySerializer: (given: string) => given,
      parseAs: 'stream',
      signal: cli.signal,
    })
  } catch (error) {
    if (error instanceof ApiError && error.problem !== undefined)
      throw asProblem(error, error.problem)
    throw error
  }
}

/** The error with the server's own body, for programs. */
function asProblem(error: ApiError, problem: object): CliError {
  const { message, code, requestId, exitCode } = explain(error)
  return new CliError(message, { code, requestId, exitCode, raw: problem, cause: error })
}

function printHead({ printer }: Cli, { status, statusText, headers }: Response): void {
  printer.error(`${status} ${statusText}`.trimEnd())
  for (const [name, value] of headers) printer.error(`${name}: ${value}`)
  printer.error('')
}

function nextPage(request: ApiRequest, body: unknown): ApiRequest | undefined {
  const cursor = (body as { readonly next_cursor?: unknown } | null)?.next_cursor
  if (typeof cursor !== 'string' || cursor === '') return undefined
  return { ...request, path: withQuery(request.path, { cursor }) }
}
