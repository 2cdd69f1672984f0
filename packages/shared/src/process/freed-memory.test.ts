import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { afterEach, expect, test, vi } from 'vitest'

import { returnFreedMemory, type Use } from './freed-memory.ts'

const MIB = 2 ** 20
const INTERVAL_MS = 1000

afterEach(() => void vi.useRealTimers())

/** The collections of a process that uses these MiB after each interval, and needs `live` MiB. */
function collections(uses: readonly number[], { busy = 0.1, live = 100 } = {}): number {
  vi.useFakeTimers()
  let count = 0
  let use: Use = { memory: 100 * MIB, processor: 0, time: 0 }
  using _returning = returnFreedMemory({
    measure: () => use,
    collect: () => {
      count += 1
      use = { ...use, memory: live * MIB }
    },
    intervalMs: INTERVAL_MS,
  })
  for (const mib of uses) {
    use = { memory: mib * MIB, processor: use.processor + busy, time: use.time + 1 }
    vi.advanceTimersByTime(INTERVAL_MS)
  }
  return count
}

test.each([
  ['collects when a process that does little has grown', [100, 200], {}, 1],
  ['does not collect for little', [100, 130], {}, 0],
  ['does not collect while the process is busy', [100, 300], { busy: 0.9 }, 0],
  ['collects again after more growth', [100, 200, 120, 160], {}, 2],
  ['waits longer and longer while memory is in use', Array(15).fill(300), { live: 290 }, 4],
] as const)('%s', (_title, uses, process, expected) => {
  expect(collections(uses, process)).toBe(expected)
})

/** Fills memory, frees it, and prints its resident MiB while it does little. */
const PROGRAM = `
  const { returnFreedMemory } = await import(process.argv[1])
  returnFreedMemory({ intervalMs: 20 })
  let kept = Array.from({ length: 1_000_000 }, (_, i) => ({ i, text: 'text ' + i }))
  console.log('full', process.memoryUsage.rss())
  setInterval(() => {
    kept = []
    console.log('freed', process.memoryUsage.rss())
  }, 50)
`

test('returns what a load has left while the process does little', async () => {
  const module = new URL('freed-memory.ts', import.meta.url).href
  const args = ['--expose-gc', '--input-type=module', '--eval', PROGRAM, module]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let full = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [phase, bytes] = line.split(' ')
    if (phase === 'full') full = Number(bytes)
    else if (full - Number(bytes) > 48 * MIB) break
  }
  expect(full).toBeGreaterThan(0)
  const closed = once(child, 'close')
  child.kill()
  await closed
})
