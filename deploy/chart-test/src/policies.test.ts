import { expect, test } from 'vitest'

import { targetsAt } from './policies.ts'

const addresses: Readonly<Record<string, readonly string[]>> = {
  'gateway.slipway.svc': ['10.96.0.7', 'fd00::7'],
}
const resolve = (host: string) =>
  Promise.resolve((addresses[host] ?? []).map((address) => ({ address })))

test('a target has each address of its name', async () => {
  expect(await targetsAt('http://gateway.slipway.svc:9103', 'the port of', resolve)).toEqual(
    ['10.96.0.7', 'fd00::7'].map((host) => ({
      what: 'the port of gateway.slipway.svc',
      host,
      port: 9103,
    })),
  )
})

test('an address in brackets is a target', async () => {
  expect(await targetsAt('http://[::1]', 'the port of')).toEqual([
    { what: 'the port of [::1]', host: '::1', port: 80 },
  ])
})
