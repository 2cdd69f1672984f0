import { tokenOf } from '../../support/api.ts'
import { fromStack } from '../../support/environment.ts'
import { methodOf, pathOf, titleOf } from '../cases/case.ts'
import type { DeploymentCase } from '../cases/deployment-case.ts'
import type { ApiDocument } from './api-document.ts'
import { ask, USERS, type Caller } from './catalog-fixture.ts'

/** The response to a case and the expected one, each with the case's title. */
export interface Comparison {
  readonly found: unknown
  readonly expected: unknown
}

/** Sends a case through REST. */
export async function sendThroughRest(api: ApiDocument, each: DeploymentCase): Promise<Comparison> {
  const { caller, body, rawBody, headers, isStream } = each
  const answer =
    isStream === true
      ? await askForBeginning(pathOf(each), caller, headers ?? {})
      : await ask(methodOf(each), pathOf(each), caller, {
          ...(body === undefined ? {} : { body }),
          ...(rawBody === undefined ? {} : { rawBody }),
          ...(headers === undefined ? {} : { headers }),
        })
  const contentType = answer.headers.get('content-type') ?? ''
  const found = {
    status: answer.status,
    isProblem: contentType === 'application/problem+json',
    code: answer.body?.code,
    requestId: answer.body?.request_id ?? answer.headers.get('x-request-id'),
    challenge: answer.headers.get('www-authenticate')?.split(' ', 1)[0],
    problem:
      each.code === 'route_not_found'
        ? undefined
        : api.problemWith(each.route, answer.status, contentType, answer.body ?? answer.text),
  }
  const expected = {
    status: each.status,
    isProblem: each.status >= 400,
    code: each.code ?? found.code,
    requestId: answer.headers.get('x-request-id'),
    challenge: each.status === 401 ? 'Bearer' : undefined,
    problem: undefined,
  }
  return { found: [titleOf(each), found], expected: [titleOf(each), expected] }
}

/** Reads the beginning of a stream. */
async function askForBeginning(
  path: string,
  caller: Caller,
  headers: Readonly<Record<string, string>>,
) {
  const user = USERS[caller as keyof typeof USERS]
  const ended = new AbortController()
  const response = await fetch(`${fromStack('SLIPWAY_URL')}/api/v1${path}`, {
    headers: { ...headers, authorization: `Bearer ${await tokenOf(user)}` },
    signal: ended.signal,
  })
  const first = await response.body?.getReader().read()
  ended.abort()
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(first?.value ?? []).toString(),
    body: undefined,
  }
}
