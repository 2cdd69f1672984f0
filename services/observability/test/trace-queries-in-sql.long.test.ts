import { rounds } from '@slipway/testing'
import { test } from 'vitest'

import { compareQueries } from './support/compare-queries.ts'

test('traces that are worked out in SQL equal brute force', async () => {
  await compareQueries(3, rounds(2))
})
