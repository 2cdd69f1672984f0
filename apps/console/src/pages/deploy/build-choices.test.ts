import { expect, test } from 'vitest'

import { buildOptions, chosenOption, type RunningBuild } from './build-choices.ts'

const versions = [
  { build_id: 'b3' },
  { build_id: 'b2', version: '1.1.0' },
  { build_id: 'b1', version: '1.0.0', yanked: true },
]
const running: RunningBuild = { build: 'b2', version: '1.1.0', otherSource: undefined }
const labels = (now: RunningBuild | undefined) =>
  buildOptions(versions, now).map(({ label }) => label)

test('has each build once, and marks the one that runs', () => {
  expect(labels(undefined)).toEqual([
    'the newest',
    'b3',
    '1.1.0, build b2',
    '1.0.0, build b1 (yanked)',
  ])
  expect(labels(running)).toEqual([
    'the newest',
    '1.1.0, build b2; runs now',
    'b3',
    '1.0.0, build b1 (yanked)',
  ])
})

test('distinguishes a build of another account', () => {
  const other = { build: 'b3', version: undefined, otherSource: 'bob' }
  expect(labels(other)).toEqual([
    'the newest',
    'b3 of bob; runs now',
    'b3',
    '1.1.0, build b2',
    '1.0.0, build b1 (yanked)',
  ])
})

test('says when a build was published or registered', () => {
  const build = { build_id: 'b1', registered_at: '2026-11-22T12:00:00Z' }
  const [, option] = buildOptions([build], undefined)
  expect(option?.label).toMatch(/^b1, 2026-11-2\d \d\d:\d\d:\d\d/)
})

test.each([
  [{}, 'the newest'],
  [{ build: 'current' }, '1.1.0, build b2; runs now'],
  [{ build: 'b2' }, '1.1.0, build b2; runs now'],
  [{ version: '1.1.0' }, '1.1.0, build b2; runs now'],
  [{ version: '1.0.0' }, '1.0.0, build b1 (yanked)'],
  [{ version: '0.9.0' }, undefined],
])('finds the option of %j', (search, label) => {
  expect(chosenOption(buildOptions(versions, running), search, running)?.label).toBe(label)
})
