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
  readonly context: BrowserContext
  readonly page: Page
  /**
   * What must not happen on any page: errors in scripts, violations of the policy, requests to
   * other hosts.
   */
  readonly faults: readonly string[]
}

/** Starts Debian's Chromium with an empty profile. */
export async function openBrowser(look: Look = {}): Promise<OpenBrowser> {
  const { theme = 'light', width = 1280, height = 900 } = look
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Tests run as root.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const context = await browser.newContext({
    baseURL: fromStack('SLIPWAY_URL'),
    colorScheme: theme,
    viewport: { width, height },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  const hosts = new Set(['SLIPWAY_URL', 'SLIPWAY_ISSUER'].map((key) => hostOf(fromStack(key))))
  page.on('request', (request) => {
    if (!hosts.has(hostOf(request.url()))) faults.push(`request to ${request.url()}`)
  })
  return { context, page, faults, [Symbol.asyncDispose]: async () => await browser.close() }
}

/** Opens an address, and signs in at the identity provider as a person does. */
export async function signIn(page: Page, user: User, path = '/'): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

function hostOf(url: string): string {
  return new URL(url).host
}
