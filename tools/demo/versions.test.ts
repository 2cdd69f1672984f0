import { expect, test } from 'vitest'

import { versionFor } from './versions.ts'

test.each([
  ['1.0.0 for the first build', 'b1', [{ build_id: 'b1' }], '1.0.0'],
  [
    'the version of a published build',
    'b1',
    [
      { build_id: 'b1', version: '1.0.3' },
      { build_id: 'b2', version: '2.0.0' },
    ],
    '1.0.3',
  ],
  [
    'the next patch version for a new build',
    'b3',
    [
      { build_id: 'b3' },
      { build_id: 'b2', version: '1.0.9' },
      { build_id: 'b1', version: '1.0.10' },
    ],
    '1.0.11',
  ],
  ['1.0.0 after a pre-release', 'b2', [{ build_id: 'b1', version: '1.0.0-rc.1' }], '1.0.0'],
])('returns %s', (_what, buildId, versions, expected) => {
  expect(versionFor(buildId, versions)).toBe(expected)
})
