import openapiFetch from 'openapi-fetch'

import { toConnectionError } from './connection-error.ts'
import { ConnectionError } from './errors.ts'
import type { paths } from './gen/api.ts'
import { API_VERSION, KEYED_PATHS } from './gen/facts.ts'
import type { ClientOptions } from './options.ts'
import { createTransport } from './transport.ts'
import type { Answer } from './types.ts'

/** What all methods of the client do with an answer, without its types. */
export type Call = (method: HttpMethod, path: string, init?: CallInit) => Promise<Answer<unknown>>

/** The methods of the API. */
export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Options of a call, without its types. */
export interface CallInit {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
    readonly header?: Readonly<Record<string, string>>
  }
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'
  readonly signal?: AbortSignal
}

const KEY_HEADER = 'idempotency-key'

/** Makes the function that sends all requests of a client. */
export function createCall(options: ClientOptions, url: string): Call {
  const { origin } = new URL(url)
  const transport = createTransport(options)
  const agent = userAgent(options.userAgent)
  const inner = openapiFetch<paths>({
    baseUrl: url,
    ...(agent === undefined ? {} : { headers: { 'user-agent': agent } }),
  })
  // The types of a call are those of the client's methods.
  const request = inner.request as unknown as (
    method: HttpMethod,
    path: string,
    init: object,
  ) => Promise<Answer<unknown>>

  return async (method, path, init = {}) => {
    const isKeyed = method === 'post' && KEYED_PATHS.has(path)
    const isStream = init.parseAs === 'stream'
    const send = { isRepeatable: method === 'get' || isKeyed, isStream }
    const { data, response } = await request(method, path, {
      ...init,
      params: isKeyed ? withKey(init.params) : init.params,
      parseAs: init.parseAs ?? 'stream',
      fetch: async (sent: Request) => await transport(sent, send),
    })
    if (init.parseAs !== undefined) return { data, response }
    return { data: await parse(response, origin), response }
  }
}

function withKey(params: CallInit['params'] = {}): CallInit['params'] {
  return { ...params, header: { [KEY_HEADER]: crypto.randomUUID(), ...params.header } }
}

/** Parses JSON, and returns other types as text. */
async function parse(response: Response, origin: string): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw toConnectionError(error, origin)
  }
  if (text === '') return undefined
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) return JSON.parse(text)
  if (!type.startsWith('text/html')) return text
  throw new ConnectionError(
    'not_slipway',
    origin,
    'the response is a page, not from the Slipway API; check the URL',
  )
}

/** Only Node lets a program name itself. */
function userAgent(program: string | undefined): string | undefined {
  const node = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions
    ?.node
  if (node === undefined) return undefined
  const own = `slipway-client/${API_VERSION}`
  return program === undefined ? own : `${program} ${own}`
}
