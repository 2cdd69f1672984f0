/** The number of lines that take a few milliseconds. */
const ITEMS_A_TASK = 100

/**
 * Yields the items of a stream, and lets the browser draw and handle input in between: items that
 * have arrived together would otherwise be handled in one long task. Ends when the signal aborts.
 */
export async function* inSmallTasks<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  let count = 0
  for await (const item of items) {
    yield item
    count += 1
    if (count % ITEMS_A_TASK !== 0) continue
    await nextTask()
    if (signal.aborted) return
  }
}

/** Unlike a timer, a message is not delayed in a hidden page. */
async function nextTask(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => resolve(), { once: true })
  port1.start()
  port2.postMessage(null)
  await promise
  port1.close()
}
