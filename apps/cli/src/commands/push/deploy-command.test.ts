import { expect, test } from 'vitest'

import { deployCommand } from './deploy-command.ts'

test('names the build if a deploy would take a newer one', () => {
  const older =
    'build b1 is already registered, and a deploy takes the newest build, b2, unless it names ' +
    'one: deploy with "build_id": "b1"'
  const build = { name: 'notes', build_id: 'b1' }
  expect(deployCommand({ ...build, warnings: [older] })).toBe('slipway deploy notes --build b1')
  expect(deployCommand({ ...build, warnings: ['other'] })).toBe('slipway deploy notes')
})
