/**
 * How many requests of one operation the API server processes at the same time. A deploy can have
 * hundreds of objects, and all users share the connections.
 */
const MAX_PARALLEL = 16

/**
 * Does the work for each item, for some at the same time. Never rejects. If the work fails for many
 * items, for example because the API server hangs, the others fail without it.
 */
export async function settleEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const settled: PromiseSettledResult<Result>[] = []
  const failures: PromiseRejectedResult[] = []
  const rest = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) {
      const failure = failures.at(MAX_PARALLEL - 1)
      settled[index] = failure ?? (await settle(() => work(item)))
      if (settled[index].status === 'rejected') failures.push(settled[index])
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL }, lane))
  return settled
}

async function settle<Result>(work: () => Promise<Result>): Promise<PromiseSettledResult<Result>> {
  try {
    return { status: 'fulfilled', value: await work() }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

/** Like settleEach, but returns the results. Rejects with the first error once all work is done. */
export async function doEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return (await settleEach(items, work)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
