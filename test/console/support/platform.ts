import type { Gateway } from '@slipway/gateway'

import type { User } from '../../support/api.ts'
import { fromStack } from '../../support/environment.ts'
import type { SignInPlatform } from '../../support/sign-in-platform.ts'
import { TestBrowser } from '../../support/test-browser.ts'
import type { Site } from './browser.ts'

/** A user of a sign-in platform who calls the API next to the browser that is tested. */
export interface ApiUser {
  readonly id: string
  /** Sends a request; returns the body. The path starts below `/api/v1`. */
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(method: string, path: string, body?: unknown): Promise<any>
}

/** Starts a gateway that serves the console; `env` adds to its settings or replaces them. */
export async function startConsole(
  platform: SignInPlatform,
  env: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  return await platform.startGateway({ CONSOLE_FOLDER: fromStack('CONSOLE_FOLDER'), ...env })
}

/** The console of a gateway of the platform. */
export function siteOf({ provider }: SignInPlatform, url: string): Site {
  return { url, issuer: provider.issuer }
}

/** Signs a user in at a gateway. */
export async function apiUser(gateway: string, user: User): Promise<ApiUser> {
  const browser = new TestBrowser()
  await browser.signIn(gateway, user)
  const send = async (method: string, path: string, body?: unknown) => {
    const { status, text, ...answer } = await browser.send(`${gateway}/api/v1${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`)
    return answer.body
  }
  return { id: (await send('GET', '/me')).user.id, send }
}
