import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with a page, as `rule: elements`. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the policy of the page does not apply to.
  return (await page.evaluate(`${axe.source};
    axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target, failureSummary }) =>
        target.join(' ') + ' ' + failureSummary).join('; ')))`)) as string[]
}

/** Whether a part of the page is wider than the window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean
}
