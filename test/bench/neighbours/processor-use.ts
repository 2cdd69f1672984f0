import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { rounded } from '../support/compare.ts'
import { TICK_MS } from '../support/process.ts'

/** Which part of the processors' time each process used, in percent of all processors. */
export type ProcessorUse = Readonly<Record<string, number>>

interface Counting {
  cpuMs(): number
}

/** Measures processes until the returned function is called. `others` are all other processes. */
export function measureUse(processes: Readonly<Record<string, Counting>>): () => ProcessorUse {
  const read = () => ({
    atMs: performance.now(),
    busyMs: busyMs(),
    each: Object.entries(processes).map(([name, process]) => [name, process.cpuMs()] as const),
  })
  const before = read()
  return () => {
    const after = read()
    const percent = (ms: number) =>
      rounded((ms / (after.atMs - before.atMs) / availableParallelism()) * 100, 1)
    const used = after.each.map(
      ([name, ms], index) => [name, ms - (before.each[index]?.[1] ?? 0)] as const,
    )
    const known = used.reduce((sum, [, ms]) => sum + ms, 0)
    return {
      ...Object.fromEntries(used.map(([name, ms]) => [name, percent(ms)])),
      others: percent(after.busyMs - before.busyMs - known),
    }
  }
}

/** The time for which the machine's processors were busy. */
function busyMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.split(/ +/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0] = ticks
  return (ticks.reduce((sum, count) => sum + count, 0) - idle - waiting) * TICK_MS
}
