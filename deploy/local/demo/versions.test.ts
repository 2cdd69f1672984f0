import { expect, test } from 'vitest'

import { versionFor } from './versions.ts'

test.each([
  ['the first build', 'b1', [{ build_id: 'b1' }], '1.0.0'],
  [
    'a build that is published',
    'b1',
    [
      { build_id: 'b1', version: '1.0.3' },
      { build_id: 'b2', version: '2.0.0' },
    ],
    '1.0.3',
  ],
  [
    'a changed build',
    'b3',
    [
      { build_id: 'b3' },
      { build_id: 'b2', version: '1.0.9' },
      { build_id: 'b1', version: '1.0.10' },
    ],
    '1.0.11',
  ],
  ['pre-releases', 'b2', [{ build_id: 'b1', version: '1.0.0-rc.1' }], '1.0.0'],
])('%s', (_what, buildId, versions, expected) => {
  expect(versionFor(buildId, versions)).toBe(expected)
})
