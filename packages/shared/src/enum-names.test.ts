import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { ImageAvailability } from '@slipway/proto/slipway/deployer/v1/image_check'
import { expect, test } from 'vitest'

import { findValue, nameOf, namesOf, valueOf } from './enum-names.ts'

test('names the values of an enum in their order', () => {
  expect(namesOf(ImageAvailability)).toEqual(['available', 'not_found', 'no_access', 'unknown'])
})

test('returns the value of each name, and the name of each value', () => {
  for (const name of namesOf(DeploymentEventType))
    expect(nameOf(DeploymentEventType, valueOf(DeploymentEventType, name))).toBe(name)
  expect(valueOf(ImageAvailability, 'not_found')).toBe(ImageAvailability.NOT_FOUND)
})

test.each([0, 99, -1])('has no name for %i', (value) => {
  expect(nameOf(ImageAvailability, value)).toBeUndefined()
})

test.each(['', 'gone', 'unspecified', '1', 'constructor', '__proto__'])(
  'returns the unspecified value for the stored text "%s"',
  (text) => {
    expect(findValue(ImageAvailability, text)).toBe(ImageAvailability.UNSPECIFIED)
  },
)
