import { expect, test } from 'vitest'
import { problemsIn } from './schemas.ts'

test('returns the object, the field and the problem, and no more', () => {
  const msg =
    "problem validating schema: validation failed with 'file:///schemas/service.json#' " +
    "- at '/spec':   additional properties 'bogus' not allowed"
  const resource = { filename: '/tmp/a/one-node.yaml', kind: 'Service', name: 'gateway', msg }
  expect(problemsIn(JSON.stringify({ resources: [resource] }))).toBe(
    "one-node.yaml: Service/gateway: - at '/spec': additional properties 'bogus' not allowed",
  )
})

test('returns the whole message for an unknown kind', () => {
  const msg = 'could not find schema for Widget'
  const resource = { filename: 'a.yaml', kind: 'Widget', name: 'a', msg }
  expect(problemsIn(JSON.stringify({ resources: [resource] }))).toBe(`a.yaml: Widget/a: ${msg}`)
})
