import { expect, test } from 'vitest'

import type { PreviousValues } from '../src/index.ts'
import { prepare, resolve, specOf } from './support/fixtures.ts'

const nothing: PreviousValues = {
  credentialKeys: [],
  extraCredentialKeys: [],
  interfaces: [],
  schedules: {},
  overrides: {},
}

const spec = specOf(`
ingestion:
  sync: { container: { image: i:1 }, trigger: { type: schedule } }
  hand: { container: { image: i:1 }, trigger: { type: manual } }
`)

test.each([
  [undefined, ['schedules.sync: a cron schedule is required, for example 30 6 * * 1-5']],
  [{ sync: '* * * * *' }, []],
  [{ sync: '@hourly' }, ['schedules.sync: macros are not supported: write the five cron fields']],
  [
    { sync: '* * * * *', hand: '* * * * *' },
    ['schedules.hand: this ingestion does not run on a schedule'],
  ],
  [{ sync: '* * * * *', none: '* * * * *' }, ['schedules.none: the agent has no such ingestion']],
  [
    { sync: '* * * * *', snyc: '' },
    ['schedules.snyc: the agent has no such ingestion; did you mean sync?'],
  ],
])('%j', (schedules, problems) => {
  expect(prepare(spec, schedules ? { schedules } : {}).problems).toEqual(problems)
})

test('keeps those of known ingestions if the request has none, else replaces them all', () => {
  const previous = { ...nothing, schedules: { sync: '1 * * * *', gone: '2 * * * *' } }
  const kept = prepare(spec, { previous }).filled
  expect(kept.values.schedules).toEqual({ sync: '1 * * * *' })
  expect(resolve(kept)['ingestion-sync']?.trigger).toEqual({
    type: 'schedule',
    schedule: '1 * * * *',
  })
  expect(prepare(spec, { previous, schedules: {} }).problems).toEqual([
    'schedules.sync: a cron schedule is required, for example 30 6 * * 1-5',
  ])
})
