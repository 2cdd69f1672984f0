import { waitFor } from '@slipway/testing'

import { shortToken } from './api.ts'
import { fromStack } from './environment.ts'

/** A response of the gateway that is read while it arrives. */
export interface Reading {
  readonly status: number
  readonly headers: Headers
  /** The text so far. */
  text(): string
  /** `ended` when the response is complete, `cut` when it was broken off. */
  end(): 'open' | 'ended' | 'cut'
  close(): void
}

/** Starts to read a response; the path starts below `/api/v1` of the stack or of `url`. */
export async function read(
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  url: string = fromStack('SLIPWAY_URL'),
): Promise<Reading> {
  const closed = new AbortController()
  const response = await fetch(`${url}/api/v1${path}`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
    signal: closed.signal,
  })
  let text = ''
  let end: 'open' | 'ended' | 'cut' = 'open'
  void (async () => {
    try {
      const decoder = new TextDecoder()
      for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true })
      end = 'ended'
    } catch {
      end = 'cut'
    }
  })()
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    end: () => end,
    close: () => closed.abort(),
  }
}

/**
 * Starts to read a response, as Alice, with a token that expires meanwhile. On a busy machine, a
 * token may expire before the response starts: then with another one.
 */
export async function readUntilExpiry(path: string): Promise<Reading> {
  return await waitFor(
    async () => {
      const reading = await read(path, await shortToken())
      return reading.status === 401 ? undefined : reading
    },
    { what: 'a response before the token expires' },
  )
}
