import type { CDPSession, Page } from 'playwright-core'

import { openBrowser, signIn } from '../../console/support/browser.ts'

/** A page of a signed-in user that records its long tasks and when its table was shown. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  /** Milliseconds of the tasks over 50 ms since the last call, the longest first. */
  longTasks(): Promise<readonly number[]>
  /** Milliseconds from the start of the navigation until the page had a row of a table. */
  usableAfter(): Promise<number>
  /** Bytes of the heap of JavaScript, after its garbage was collected. */
  heapBytes(): Promise<number>
}

/** Runs in the page before its own scripts. */
const RECORDER = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => {
    globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))
  }).observe({ type: 'longtask', buffered: true })
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
  const running = stack.move()
  return {
    page,
    longTasks: async () => {
      const tasks = (await page.evaluate('globalThis.longTasks.splice(0)')) as number[]
      return tasks.toSorted((a, b) => b - a)
    },
    usableAfter: async () => (await page.evaluate('globalThis.usableAfter')) as number,
    heapBytes: async () => {
      await tools.send('HeapProfiler.collectGarbage')
      return (await tools.send('Runtime.getHeapUsage')).usedSize
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}
