import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  HOUR_NS,
  hourOf,
  hoursOver,
  isHourWithin,
  isTimeIn,
  joinHours,
  MAX_PARTS,
  partOf,
} from './hours.ts'

const time = fc.bigInt({ min: 0n, max: 40n * HOUR_NS })
const range = fc
  .tuple(time, time)
  .filter(([start, end]) => start < end)
  .map(([startNs, endNs]) => ({ startNs, endNs }))

test('a range consists of its parts in each hour', () => {
  fc.assert(
    fc.property(range, (all) => {
      const hours = hoursOver(all, 100)
      const parts = hours.map((hour) => partOf(hour, all))
      expect(parts[0]?.startNs).toBe(all.startNs)
      expect(parts.at(-1)?.endNs).toBe(all.endNs)
      for (const [index, { startNs, endNs }] of parts.entries()) {
        expect(startNs).toBe(parts[index - 1]?.endNs ?? all.startNs)
        expect(isHourWithin(hours[index] ?? 0, all)).toBe(endNs - startNs === HOUR_NS)
      }
    }),
  )
})

test('hours after the last one are left out', () => {
  expect(hoursOver({ startNs: HOUR_NS, endNs: 9n * HOUR_NS }, 3)).toEqual([1, 2, 3])
  expect(hoursOver({ startNs: 8n * HOUR_NS, endNs: 9n * HOUR_NS }, 3)).toEqual([])
})

test('joined hours are in a few parts, without others unless there are too many gaps', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 30 })), time, (hours, ns) => {
      const parts = joinHours(hours)
      expect(parts.length).toBeLessThanOrEqual(MAX_PARTS)
      for (const hour of hours) expect(isTimeIn(BigInt(hour) * HOUR_NS, parts)).toBe(true)
      const isExact = isTimeIn(ns, parts) === hours.includes(hourOf(ns))
      expect(isExact || parts.length === MAX_PARTS).toBe(true)
    }),
  )
})
