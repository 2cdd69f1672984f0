import type { CDPSession, Page } from 'playwright-core'

import { openBrowser, signIn } from '../../console/support/browser.ts'
import { CATEGORIES, pageTasks, type PageTasks } from './page-tasks.ts'

/** A page of a signed-in user whose tasks and heap are measured. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  /** The tasks of the page while something happens. */
  tasksDuring(happens: () => Promise<void>): Promise<PageTasks>
  /** Milliseconds from the start of the navigation until the page had a row of a table. */
  usableAfter(): Promise<number>
  /** Bytes of the heap of JavaScript, after its garbage was collected. */
  heapBytes(): Promise<number>
}

/** Runs in the page before its own scripts. */
const RECORDER = `
  globalThis.usableAfter = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('tbody tr') === null) requestAnimationFrame(look)
      else resolve(performance.now())
    }
    look()
  })`

/** Opens a page as alice. */
export async function openWatchedPage(path: string): Promise<WatchedPage> {
  await using stack = new AsyncDisposableStack()
  const { context, page } = stack.use(await openBrowser())
  await context.addInitScript(RECORDER)
  await signIn(page, 'alice', path)
  const tools: CDPSession = await context.newCDPSession(page)
  const browser = context.browser()
  if (browser === null) throw new Error('the browser has ended')
  const running = stack.move()
  return {
    page,
    tasksDuring: async (happens) => {
      await browser.startTracing(page, { categories: CATEGORIES })
      await happens()
      return pageTasks((await browser.stopTracing()).toString('utf8'))
    },
    usableAfter: async () => (await page.evaluate('globalThis.usableAfter')) as number,
    heapBytes: async () => {
      await tools.send('HeapProfiler.collectGarbage')
      return (await tools.send('Runtime.getHeapUsage')).usedSize
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}
