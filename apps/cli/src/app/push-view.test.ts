import { expect, test } from 'vitest'

import { shownResult } from './testing/shown-result.ts'

test('says of an earlier build how to deploy it, and not what deploys elsewhere take', async () => {
  const older =
    'build b1 is already registered, and a deploy takes the newest build, b2, unless it names ' +
    'one: deploy with "build_id": "b1"'
  const result = { account: 'carol', name: 'notes', build_id: 'b1', images: [] }
  const warnings = [older, 'the image has no digest']
  const shown = await shownResult('push', [{ ...result, validation_warnings: [], warnings }], 200)
  expect(shown).toContain('warning: the image has no digest\n')
  expect(shown).toContain('next: slipway deploy notes --build b1')
  expect(shown).not.toContain('a deploy takes the newest build')
})
