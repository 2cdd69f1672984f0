const MIB = 2 ** 20
/** Growth that is worth a collection, which stops the process for 0.1 to 0.3 s. */
const WORTHWHILE_BYTES = 48 * MIB
/** A process that uses more of a processor than this is busy: it needs the memory, and the time. */
const BUSY_SHARE = 0.5
const INTERVAL_MS = 30_000
const MAX_INTERVALS = 120

/** What a process uses at a moment. */
export interface Use {
  /** Resident memory in bytes. */
  readonly memory: number
  /** Processor time since its start, and time on a clock, in microseconds. */
  readonly processor: number
  readonly time: number
}

/** How to measure a process and collect its garbage. */
export interface Memory {
  readonly measure: () => Use
  /** Collects all garbage and returns all unused pages. Undefined without `--expose-gc`. */
  readonly collect: (() => void) | undefined
  readonly intervalMs: number
}

/**
 * Returns memory that a process no longer uses to the system: V8 keeps the pages of a load for as
 * long as requests continue, even few. Collects all garbage when a process does little and has
 * 48 MiB more than when it had least. If most of it is in use, waits twice as long before the next
 * time, at most an hour. Does nothing unless Node runs with `--expose-gc`.
 */
export function returnFreedMemory({
  measure = measureProcess,
  collect = collector(),
  intervalMs = INTERVAL_MS,
}: Partial<Memory> = {}): Disposable {
  if (collect === undefined) return { [Symbol.dispose]: () => {} }
  let last = measure()
  let smallest = last.memory
  let intervals = 1
  let passed = 0
  const timer = setInterval(() => {
    const use = measure()
    const share = (use.processor - last.processor) / (use.time - last.time)
    last = use
    smallest = Math.min(smallest, use.memory)
    passed += 1
    if (share > BUSY_SHARE || passed < intervals) return
    if (use.memory - smallest < WORTHWHILE_BYTES) return
    collect()
    last = measure()
    const isReturned = use.memory - last.memory >= WORTHWHILE_BYTES / 2
    intervals = isReturned ? 1 : Math.min(intervals * 2, MAX_INTERVALS)
    passed = 0
  }, intervalMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function measureProcess(): Use {
  const { user, system } = process.cpuUsage()
  return {
    memory: process.memoryUsage.rss(),
    processor: user + system,
    time: performance.now() * 1000,
  }
}

function collector(): (() => void) | undefined {
  const { gc } = globalThis
  // Only this kind of collection empties the pool of unused pages.
  return gc && (() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
}
