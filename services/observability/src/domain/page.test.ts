import { describe, expect, test } from 'vitest'

import { resolvePage } from './page.ts'

describe('resolvePage', () => {
  test('defaults to a limit of 50', () => {
    expect(resolvePage({ limit: 0, offset: 0 })).toEqual({ limit: 50, offset: 0 })
  })

  test('reports every field out of bounds', () => {
    expect(() => resolvePage({ limit: 501, offset: 100_001 })).toThrow(
      expect.objectContaining({
        message: 'limit must be from 1 to 500',
        violations: [
          { field: 'limit', description: 'must be from 1 to 500' },
          { field: 'offset', description: 'must be from 0 to 100000' },
        ],
      }),
    )
  })
})
