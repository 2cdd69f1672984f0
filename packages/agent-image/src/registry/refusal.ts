import { loginRemedy } from './authorization.ts'
import type { Credentials } from './login.ts'
import { RegistryError, type RegistryProblem } from './registry-error.ts'

const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const LIMIT = /quota|exceed|too large|storage|TOOMANYREQUESTS|SIZE_INVALID/i

/** A request that a registry answered with an error. */
export interface RefusedCall {
  readonly action: string
  readonly host: string
  readonly repository: string
  readonly credentials: Credentials | undefined
}

/** Returns the error for an answer of a registry that is not the expected one. */
export function refusal(call: RefusedCall, response: Response, text: string): RegistryError {
  const { status } = response
  const said = messageOf(text)
  const problem = problemOf(status, said)
  const shown = [status, said].filter(Boolean).join(' ')
  return new RegistryError(`${call.action}: the registry returned ${shown}`, {
    problem,
    registry: call.host,
    remedy: remedyOf(problem, call),
    status,
    isTransient: TRANSIENT.has(status),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  })
}

function problemOf(status: number, said: string): RegistryProblem {
  if (status === 401) return 'unauthorized'
  if (status === 413 || status === 429 || status === 507) return 'limit'
  if (status === 403) return LIMIT.test(said) ? 'limit' : 'denied'
  if (status === 404) return 'not-found'
  return LIMIT.test(said) && status < 500 ? 'limit' : 'rejected'
}

function remedyOf(problem: RegistryProblem, call: RefusedCall): string | undefined {
  const { host, repository, credentials } = call
  switch (problem) {
    case 'unauthorized':
      return loginRemedy(host, credentials)
    case 'denied': {
      const user = credentials?.kind === 'password' ? credentials.user : 'your login'
      return credentials === undefined
        ? loginRemedy(host, credentials)
        : `${user} has no such access to ${repository}; ask its owner, or name another --registry`
    }
    case 'not-found':
      return `check the name ${host}/${repository}; some registries need repositories made first`
    case 'limit':
      return 'wait, free space in the registry, or ask its owner for a higher limit'
    case 'unreachable':
    case 'rejected':
      return undefined
  }
}

/** The messages of an error as the distribution spec has them, else the start of the text. */
function messageOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: { code?: string; message?: string }[] }
    const said = (errors ?? []).map(({ code, message }) =>
      [code, message].filter((part) => typeof part === 'string' && part !== '').join(': '),
    )
    if (said.length > 0) return printable(said.join('; '))
  } catch {
    // Not JSON.
  }
  return printable(text.startsWith('<') ? '' : text)
}

// A registry's text ends on a terminal: no control characters.
function printable(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 300)
}

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}
