import { rounds } from '@slipway/testing'
import { test } from 'vitest'

import { compareQueries } from './support/compare-queries.ts'

test('traces that are worked out span by span equal brute force', async () => {
  await compareQueries(8_000, rounds(5))
})
