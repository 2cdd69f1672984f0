import { rounds } from '@slipway/testing'
import { expect, test } from 'vitest'

import { compareQueries } from './support/compare-queries.ts'

test('traces that are worked out span by span equal brute force', async () => {
  await expect(compareQueries(8_000, rounds(5))).resolves.toBeUndefined()
})
