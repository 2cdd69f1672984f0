import { setTimeout as delay } from 'node:timers/promises'

import { together, type PageTasks } from './page-tasks.ts'
import type { ConsoleStage } from './stage.ts'
import { openWatchedPage } from './watched-page.ts'

const LOADS = 20
const SCROLL_PX = 400
/** The list of traces is there. */
const OVER_LIST = [640, 500] as const
const SCROLLS = 8
/** About a frame: as a wheel does. */
const BETWEEN_SCROLLS_MS = 16
/** The events of a deploy follow each other for some seconds. */
const BETWEEN_CHANGES_MS = 3_000

/** How soon the first page is usable if the browser has its files already. */
export async function measureFirstPage({ path }: ConsoleStage) {
  const list = path.slice(0, path.lastIndexOf('/'))
  await using watched = await openWatchedPage(list)
  await watched.usableAfter()
  const times: number[] = []
  for (let load = 0; load < LOADS; load += 1) {
    await watched.page.goto(list)
    times.push(Math.round(await watched.usableAfter()))
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { median_ms: sorted[LOADS / 2], slowest_ms: sorted.at(-1), goal_ms: 1000 }
}

/** The tasks while all pages of a list of traces are scrolled through, with the mouse over it. */
export async function measureTraces({ path }: ConsoleStage) {
  await using watched = await openWatchedPage(`${path}/traces`)
  const { page } = watched
  await watched.usableAfter()
  await page.mouse.move(...OVER_LIST)
  const older = page.getByRole('button', { name: 'Older' })
  let pages = 1
  const tasks = await watched.tasksDuring(async () => {
    for (; ; pages += 1) {
      for (let scroll = 0; scroll < SCROLLS; scroll += 1) {
        await page.mouse.wheel(0, SCROLL_PX)
        await delay(BETWEEN_SCROLLS_MS)
      }
      if (await older.isDisabled()) break
      const read = page.waitForResponse(/observability\/traces/)
      await older.press('Enter')
      await read
    }
  })
  return { pages, tasks }
}

/** The tasks while a log with 1,000 lines a second is opened and followed. */
export async function measureLog({ path }: ConsoleStage, seconds: number) {
  await using watched = await openWatchedPage(path)
  const state = watched.page.getByText(/lines.*following/)
  await watched.usableAfter()
  const opening = await watched.tasksDuring(async () => {
    await watched.page.getByRole('link', { name: 'Logs', exact: true }).click()
    await state.waitFor()
  })
  const before = await watched.heapBytes()
  const tasks = await watched.tasksDuring(async () => await delay(seconds * 1000))
  return {
    seconds,
    state: await state.innerText(),
    opening,
    tasks,
    heap_growth_mib: toMib((await watched.heapBytes()) - before),
  }
}

/** How the heap of a page of a deployment grows over its events. */
export async function measureEvents(stage: ConsoleStage, changes: number) {
  await using watched = await openWatchedPage(stage.path)
  await watched.page.locator('.liveness.live').waitFor()
  const heap: number[] = []
  let tasks: PageTasks | undefined
  for (let change = 1; change <= changes; change += 1) {
    const during = await watched.tasksDuring(async () => {
      await stage.change(change)
      await delay(BETWEEN_CHANGES_MS)
    })
    tasks = tasks === undefined ? during : together(tasks, during)
    heap.push(toMib(await watched.heapBytes()))
  }
  return { changes, heap_mib: heap, tasks }
}

function toMib(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 10) / 10
}
