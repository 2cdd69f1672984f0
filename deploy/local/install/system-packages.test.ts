import { expect, test } from 'vitest'
import { missingSystemPackages, systemPackages } from './system-packages.ts'

test('what is missing is told by package name', () => {
  expect(missingSystemPackages(() => true)).toEqual([])
  expect(missingSystemPackages((file) => file !== '/usr/sbin/runc')).toEqual(['runc'])
  expect(missingSystemPackages(() => false)).toEqual(systemPackages.map(({ name }) => name))
})
