import { rounds } from '@slipway/testing'
import { expect, test } from 'vitest'

import { compareQueries } from './support/compare-queries.ts'

test('traces that are worked out in SQL equal brute force', async () => {
  await expect(compareQueries(3, rounds(2))).resolves.toBeUndefined()
})
