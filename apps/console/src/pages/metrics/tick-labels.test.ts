import { expect, test } from 'vitest'

import { tickLabels } from './tick-labels.ts'

const at = (hours: number, minutes = 0) => new Date(2026, 10, 23, hours, minutes).getTime() / 1000

test('names the time of day, and the day at midnight', () => {
  expect(tickLabels([at(22, 30), at(24), at(25, 30)], 5400)).toEqual(['22:30', 'Nov 24', '01:30'])
})

test('names only days if the ticks are days', () => {
  expect(tickLabels([at(1), at(25)], 86_400)).toEqual(['Nov 23', 'Nov 24'])
})
