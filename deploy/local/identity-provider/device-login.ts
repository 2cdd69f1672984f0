import { setTimeout as sleep } from 'node:timers/promises'
import { Browser, findForm } from './browser.ts'
import { COMMAND_LINE_CLIENT } from './identities.ts'

/** Options of a device login. */
export interface LoginOptions {
  /** The public client; `slipway-short-lived` gets tokens that expire after two seconds. */
  readonly clientId?: string
  /** Scopes to request; with `offline_access` the response contains a refresh token. */
  readonly scope?: string
  /** Called when the provider has issued a code, with the page on which a user would enter it. */
  readonly onCode?: (verificationUri: string, userCode: string) => void
}

/** The provider has no user with this name. */
export class UnknownUser extends Error {
  constructor(user: string) {
    super(`the identity provider has no user called ${user}`)
  }
}

/** The tokens issued to a device. */
export interface DeviceTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
}

/** Logs a user in with the device flow and returns the access token. */
export async function login(
  issuer: string,
  user: string,
  options: LoginOptions = {},
): Promise<string> {
  return (await deviceLogin(issuer, user, options)).accessToken
}

/**
 * Runs the whole device flow (RFC 8628): requests a code, approves it on the provider's pages as a
 * user would in a browser, and fetches the tokens. Throws `UnknownUser`.
 */
export async function deviceLogin(
  issuer: string,
  user: string,
  options: LoginOptions = {},
): Promise<DeviceTokens> {
  const clientId = options.clientId ?? COMMAND_LINE_CLIENT
  const endpoints = await discover(issuer)
  const device = await postForm(endpoints.device_authorization_endpoint, {
    client_id: clientId,
    scope: options.scope ?? 'openid profile email api',
  })
  const deviceCode = text(device.body, 'device_code')
  const verificationUri = text(device.body, 'verification_uri')
  const userCode = text(device.body, 'user_code')
  options.onCode?.(verificationUri, userCode)
  await approve(verificationUri, userCode, user)
  return pollTokens(
    endpoints.token_endpoint,
    clientId,
    deviceCode,
    Number(device.body['interval'] ?? 5),
  )
}

async function discover(issuer: string) {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok)
    throw new Error(`${issuer} returned ${response.status} for its discovery document`)
  return (await response.json()) as {
    device_authorization_endpoint: string
    token_endpoint: string
  }
}

/** Approves a code on the pages of the provider, as a user would in a browser. */
export async function approve(
  verificationUri: string,
  userCode: string,
  user: string,
): Promise<void> {
  const browser = new Browser()
  const answers: Readonly<Record<string, string>> = { user_code: userCode, login: user }
  let page = await browser.open(verificationUri)
  // There are three forms (code, confirmation, user name), then a page without a form.
  for (let steps = 0; steps < 5; steps += 1) {
    const form = findForm(page.html)
    if (!form) break
    if (page.status === 422 && form.fields.has('login')) throw new UnknownUser(user)
    const fields = [...form.fields].map(([name, value]): [string, string] => [
      name,
      value || (answers[name] ?? ''),
    ])
    page = await browser.open(new URL(form.action, page.url), new URLSearchParams(fields))
  }
  if (page.status !== 200)
    throw new Error(`the identity provider returned ${page.status} at ${page.url.pathname}`)
}

async function pollTokens(
  endpoint: string,
  clientId: string,
  deviceCode: string,
  intervalS: number,
) {
  let pauseS = intervalS
  for (;;) {
    const { ok, body } = await postForm(
      endpoint,
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: clientId,
        device_code: deviceCode,
      },
      ['authorization_pending', 'slow_down'],
    )
    if (ok) {
      const refreshToken =
        typeof body['refresh_token'] === 'string' ? body['refresh_token'] : undefined
      return { accessToken: text(body, 'access_token'), refreshToken }
    }
    if (body['error'] === 'slow_down') pauseS += 5
    await sleep(pauseS * 1000)
  }
}

async function postForm(
  url: string,
  form: Record<string, string>,
  expected: readonly string[] = [],
) {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(10_000),
  })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok && !expected.includes(String(body['error']))) {
    throw new Error(
      `${url} returned ${response.status}: ${String(body['error_description'] ?? body['error'])}`,
    )
  }
  return { ok: response.ok, body }
}

function text(body: Record<string, unknown>, key: string): string {
  const value = body[key]
  if (typeof value !== 'string')
    throw new Error(`the response of the identity provider has no ${key}`)
  return value
}
