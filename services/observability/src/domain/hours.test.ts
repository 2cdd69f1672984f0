import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  HOUR_NS,
  hoursIn,
  hoursLong,
  isHourIn,
  isTimeIn,
  MAX_PARTS,
  partsOutside,
  splitParts,
} from './hours.ts'

const time = fc.bigInt({ min: 0n, max: 40n * HOUR_NS })
const range = fc
  .tuple(time, time)
  .filter(([start, end]) => start < end)
  .map(([startNs, endNs]) => ({ startNs, endNs }))

test('each time of a range is in a part or in one of the hours outside of parts', () => {
  fc.assert(
    fc.property(range, fc.array(fc.boolean()), time, (all, flags, ns) => {
      const hours = hoursIn(all).filter((_, index) => flags[index] === true)
      const parts = partsOutside(all, hours)
      const others = hours.filter((hour) => !isHourIn(hour, parts))
      const isInHour = others.includes(Number(ns / HOUR_NS))
      expect(parts.length).toBeLessThanOrEqual(MAX_PARTS)
      expect(Number(isTimeIn(ns, parts)) + Number(isInHour)).toBe(Number(isTimeIn(ns, [all])))
    }),
  )
})

test('long parts are split at whole hours', () => {
  fc.assert(
    fc.property(range, fc.integer({ min: 2, max: 50 }), (all, maxHours) => {
      const groups = splitParts([all], maxHours)
      const pieces = groups.flat()
      expect(pieces.map(({ startNs }) => startNs)).toEqual([
        all.startNs,
        ...pieces.slice(0, -1).map(({ endNs }) => endNs),
      ])
      expect(pieces.at(-1)?.endNs).toBe(all.endNs)
      for (const group of groups) expect(hoursLong(group)).toBeLessThanOrEqual(maxHours)
      for (const { startNs } of pieces.slice(1)) expect(startNs % HOUR_NS).toBe(0n)
    }),
  )
  expect(splitParts([], 2)).toEqual([])
})

test('only hours that are wholly in a range are in it', () => {
  expect(hoursIn({ startNs: HOUR_NS, endNs: 3n * HOUR_NS })).toEqual([1, 2])
  expect(hoursIn({ startNs: HOUR_NS + 1n, endNs: 3n * HOUR_NS - 1n })).toEqual([])
})

test('of many parts the last ones are joined', () => {
  const all = { startNs: 0n, endNs: 12n * HOUR_NS }
  const hour = (first: number, last = first) => ({
    startNs: BigInt(first) * HOUR_NS,
    endNs: BigInt(last + 1) * HOUR_NS,
  })
  expect(partsOutside(all, [1, 3, 5])).toEqual([hour(0), hour(2), hour(4), hour(6, 11)])
  expect(partsOutside(all, [1, 3, 5, 7, 9])).toEqual([hour(0), hour(2), hour(4), hour(6, 11)])
})
