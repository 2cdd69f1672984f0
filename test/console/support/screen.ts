import { join, resolve } from 'node:path'

import { expect } from 'vitest'

import { accessibilityProblems, isTooWide } from './accessibility.ts'
import type { Look, OpenBrowser } from './browser.ts'

/** How each screen is looked at. */
export const LOOKS = [
  { theme: 'light', width: 1280, height: 900 },
  { theme: 'dark', width: 1280, height: 900 },
  { theme: 'light', width: 320, height: 640 },
  { theme: 'dark', width: 320, height: 640 },
  { theme: 'dark', width: 3840, height: 2160 },
] as const satisfies readonly Look[]

/** Where pictures of the screens are kept; undefined if no one wants to look at them. */
const PICTURES = process.env['PICTURES']
const ROOT = resolve(import.meta.dirname, '../../..')

/**
 * Expects of a screen that axe finds nothing, nothing is cut off, and nothing went wrong. With
 * PICTURES, a folder, it keeps a picture there.
 */
export async function expectGoodScreen(browser: OpenBrowser, name: string): Promise<void> {
  const { page, faults } = browser
  if (PICTURES !== undefined) await keepPicture(browser, join(resolve(ROOT, PICTURES), name))
  const problems = await accessibilityProblems(page)
  expect({ name, problems, isTooWide: await isTooWide(page), faults }).toEqual({
    name,
    problems: [],
    isTooWide: false,
    faults: [],
  })
}

async function keepPicture({ page, look }: OpenBrowser, path: string): Promise<void> {
  const { theme, width } = look
  const suffix = theme === 'light' && width === 1280 ? '' : `-${theme}-${width}`
  // No control looks as if the mouse were over it.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${path.replaceAll(' ', '-')}${suffix}.png` })
}
