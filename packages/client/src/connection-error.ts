import { ConnectionError, type ConnectionReason } from './errors.ts'

/** The reasons by the code of the cause, in Node. */
const REASONS: Readonly<Record<string, ConnectionReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_lookup_failed',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  UND_ERR_SOCKET: 'cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
}

const WORDS: Readonly<Record<Exclude<ConnectionReason, 'not_slipway'>, string>> = {
  refused: 'the connection was refused: no server listens there',
  name_not_found: 'the host name was not found',
  name_lookup_failed: 'the host name could not be looked up; check the network',
  unreachable: 'the host is unreachable; check the network',
  tls: 'the TLS connection failed',
  timeout: 'no response in time',
  cut: 'the connection ended before the response was complete',
  unknown: 'the server could not be reached; in a browser, check that it allows this origin',
}

/** Converts an error of `fetch`, or of reading a body, to a ConnectionError. */
export function toConnectionError(error: unknown, server: string): ConnectionError {
  if (error instanceof ConnectionError) return error
  const causes = causesOf(error)
  const codes = causes.flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const reason = codes.map(reasonOf).find((each) => each !== undefined)
  if (reason === 'tls') {
    const said = causes.at(-1)?.message ?? ''
    return new ConnectionError(reason, server, `${WORDS.tls}: ${said}`, error)
  }
  if (reason !== undefined) return new ConnectionError(reason, server, WORDS[reason], error)
  // What undici throws when a body ends early.
  const isCut = causes.some(({ message }) => message === 'terminated')
  if (isCut) return ofReason('cut', server, error)
  // In Node, the cause of a failed fetch says why, for example that the port is a blocked one.
  const said = causes.length > 1 ? causes.at(-1)?.message : undefined
  if (said === undefined) return ofReason('unknown', server, error)
  return new ConnectionError('unknown', server, `the server could not be reached: ${said}`, error)
}

/** A ConnectionError with the words of its reason. */
export function ofReason(
  reason: Exclude<ConnectionReason, 'not_slipway'>,
  server: string,
  cause?: unknown,
): ConnectionError {
  return new ConnectionError(reason, server, WORDS[reason], cause)
}

function reasonOf(code: string): Exclude<ConnectionReason, 'not_slipway'> | undefined {
  const reason = REASONS[code] ?? (/^(ERR_(TLS|SSL)_|CERT_)/.test(code) ? 'tls' : undefined)
  return reason === 'not_slipway' ? undefined : reason
}

interface Cause {
  readonly code?: unknown
  readonly message?: string
}

/** An error and its causes. If several addresses were tried, the error of the first is a cause. */
function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = []
  let next = error
  while (typeof next === 'object' && next !== null && causes.length < 8) {
    causes.push(next)
    const { cause, errors } = next as { cause?: unknown; errors?: readonly unknown[] }
    next = cause ?? errors?.[0]
  }
  return causes
}
