import { expect, test } from 'vitest'
import { missingSystemPackages, systemPackages } from './system-packages.ts'

test('returns the names of the missing packages', () => {
  expect(missingSystemPackages(() => true)).toEqual([])
  expect(missingSystemPackages((file) => file !== '/usr/sbin/runc')).toEqual(['runc'])
  expect(missingSystemPackages(() => false)).toEqual(systemPackages.map(({ name }) => name))
})
