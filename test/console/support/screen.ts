import { expect } from 'vitest'

import { accessibilityProblems, isTooWide } from './accessibility.ts'
import type { OpenBrowser } from './browser.ts'

/** Expects of a screen that axe finds nothing, nothing is cut off, and nothing went wrong. */
export async function expectGoodScreen({ page, faults }: OpenBrowser, name: string): Promise<void> {
  const problems = await accessibilityProblems(page)
  expect({ name, problems, isTooWide: await isTooWide(page), faults }).toEqual({
    name,
    problems: [],
    isTooWide: false,
    faults: [],
  })
}
