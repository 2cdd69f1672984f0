import { chromium, type BrowserContext, type Page } from 'playwright-core'

import type { User } from '../../support/api.ts'
import { fromStack } from '../../support/environment.ts'

/** How a browser looks at the console. */
export interface Look {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
}

/** A browser with one user's cookies. */
export interface OpenBrowser extends AsyncDisposable {
  readonly look: Required<Look>
  readonly context: BrowserContext
  readonly page: Page
  /**
   * What must not happen on any page: errors in scripts, violations of the policy, requests to
   * other hosts.
   */
  readonly faults: readonly string[]
}

/** Where the console is, and where people sign in. */
export interface Site {
  readonly url: string
  readonly issuer: string
}

/** The console of the stack. */
export function stackSite(): Site {
  return { url: fromStack('SLIPWAY_URL'), issuer: fromStack('SLIPWAY_ISSUER') }
}

/** Starts Debian's Chromium with an empty profile. */
export async function openBrowser(
  given: Look = {},
  { url, issuer }: Site = stackSite(),
): Promise<OpenBrowser> {
  const { theme = 'light', width = 1280, height = 900 } = given
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Tests run as root.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width, height },
  })
  const faults: string[] = []
  const hosts = new Set([hostOf(url), hostOf(issuer)])
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text())
    })
    page.on('request', (request) => {
      if (!hosts.has(hostOf(request.url()))) faults.push(`request to ${request.url()}`)
    })
  })
  const page = await context.newPage()
  const look = { theme, width, height }
  return { look, context, page, faults, [Symbol.asyncDispose]: async () => await browser.close() }
}

/** Opens an address, and signs in at the identity provider as a person does. */
export async function signIn(page: Page, user: User, path = '/'): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await answerForm(page, user)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Answers the form of the identity provider. */
export async function answerForm(page: Page, user: User): Promise<void> {
  await page.getByLabel('User name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Forgets at the identity provider who has signed in there, so that it asks again. */
export async function forgetAtProvider(context: BrowserContext): Promise<void> {
  await context.clearCookies({ name: /^_session/ })
}

function hostOf(url: string): string {
  return new URL(url).host
}
