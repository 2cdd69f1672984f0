import { RegistryError } from './registry-error.ts'

const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the name of the host, and your network',
  EAI_AGAIN: 'check your network: the name of the host could not be resolved',
  ECONNREFUSED: 'check that a registry runs there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks plain HTTP; pass --insecure if that is intended',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks plain HTTP; pass --insecure if that is intended',
}
const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_/
/** Trying again makes no sense. */
const LASTING = /ENOTFOUND|ERR_SSL|bad port|ERR_INVALID|unexpected redirect/

/** Returns the error for a request without an answer. */
export function networkError(action: string, url: URL, cause: unknown): RegistryError {
  const [code, message] = describe(cause)
  const isCertificate = CERTIFICATE.test(code)
  const remedy = isCertificate
    ? 'its certificate is not trusted here; add its authority with NODE_EXTRA_CA_CERTS'
    : REMEDIES[code]
  const reason = code || message
  return new RegistryError(
    `${action}: no response from ${url.host}${reason === '' ? '' : ` (${reason})`}`,
    {
      problem: 'unreachable',
      registry: url.host,
      remedy,
      isTransient: !isCertificate && !LASTING.test(`${code} ${message}`),
      cause,
    },
  )
}

/** The code and message of the innermost error; `fetch` only says "fetch failed". */
function describe(error: unknown): [code: string, message: string] {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (!(inner instanceof Error)) return ['', String(inner)]
  const first = inner instanceof AggregateError ? (inner.errors[0] as unknown) : undefined
  const { code } = (first instanceof Error ? first : inner) as NodeJS.ErrnoException
  return [code ?? '', inner.message]
}
