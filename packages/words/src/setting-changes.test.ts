import { expect, test } from 'vitest'

import { settingChanges } from './setting-changes.ts'

const none = { interfaces: [], schedules: {}, overrides: {}, credentials: [] }

test('names the settings that differ, without the order of lists', () => {
  const before = { ...none, interfaces: ['web', 'slack'], overrides: { 'agent.replicas': 1 } }
  const after = {
    ...none,
    interfaces: ['slack', 'web'],
    schedules: { load: '0 6 * * *' },
    overrides: { 'agent.replicas': 2 },
    credentials: ['TOKEN'],
  }
  expect(settingChanges(before, after)).toEqual([
    { path: 'credentials.TOKEN', new: 'set' },
    { path: 'overrides.agent.replicas', old: 1, new: 2 },
    { path: 'schedules.load', new: '0 6 * * *' },
  ])
})

test('finds no difference between equal settings', () => {
  expect(settingChanges(none, { ...none })).toEqual([])
})
