import { login } from '@slipway/identity-provider/device-login'

import { fromStack } from './environment.ts'

/** The users that the development identity provider knows. */
export type User = 'alice' | 'bob' | 'carol' | 'mallory'

const tokens = new Map<User, Promise<string>>()

/** Returns a user's access token, from the device flow; cached for the test file. */
export async function tokenOf(user: User): Promise<string> {
  const known = tokens.get(user) ?? login(fromStack('SLIPWAY_ISSUER'), user)
  tokens.set(user, known)
  return await known
}

/** A token of Alice that expires after 2 seconds. */
export async function shortToken(): Promise<string> {
  return await login(fromStack('SLIPWAY_ISSUER'), 'alice', { clientId: 'slipway-short-lived' })
}

/** Options of a request. */
export interface RequestOptions {
  /** The user whose token is sent; none by default. */
  readonly as?: User
  readonly body?: unknown
  /** A body that is sent unchanged, with the content type in `headers`. */
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of the API, whatever its status. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when it is not JSON. Responses have many shapes. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Sends a request to the gateway; the path starts below `/api/v1`. */
export async function request(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const headers = new Headers(options.headers)
  if (options.as !== undefined) headers.set('authorization', `Bearer ${await tokenOf(options.as)}`)
  if (options.body !== undefined) headers.set('content-type', 'application/json')
  const response = await fetch(`${fromStack('SLIPWAY_URL')}/api/v1${path}`, {
    method,
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.rawBody === undefined ? {} : { body: options.rawBody }),
  })
  const text = await response.text()
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** The name of a user's personal account. The first call creates the account. */
export async function personalAccount(user: User): Promise<string> {
  const { body } = await request('GET', '/me', { as: user })
  return body.accounts.find(({ type }: { type: string }) => type === 'personal').name
}
