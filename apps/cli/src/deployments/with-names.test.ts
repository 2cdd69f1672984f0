import { expect, test } from 'vitest'

import { withNames } from './with-names.ts'

test('adds the names of people to their ids', () => {
  const list = { revisions: [{ created_by: 'u1', revision: 1 }, { created_by: 'u2' }], count: 2 }
  expect(withNames(list, new Map([['u1', 'Alice']]))).toEqual({
    revisions: [{ created_by: 'u1', created_by_name: 'Alice', revision: 1 }, { created_by: 'u2' }],
    count: 2,
  })
})
