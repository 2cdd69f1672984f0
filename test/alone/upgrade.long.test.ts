import { login } from '@slipway/identity-provider/device-login'
import { installRelease } from '@slipway/local/parts/install-release'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { Probe } from '../prober/probe.ts'
import type { Report } from '../prober/report.ts'
import { addressOf, newImage, uninstall, upgrade } from '../support/release.ts'

// An upgrade of the gateway that no one notices. `./dev bench operations` does the same to all
// services, with ten times the load, deploys and traces.

/** A busy machine can serve this many requests per second while new pods start. */
const RATE = 20
const UPGRADES = 3

let probe: Probe
beforeAll(async () => {
  const { SLIPWAY_ISSUER: issuer = '' } = await installRelease()
  await upgrade('--set=gateway.replicas=2')
  const token = login(issuer, 'alice')
  probe = await Probe.open({
    // Not the Ingress, which could hide resets.
    url: `http://${await addressOf('gateway')}`,
    tokens: [() => token],
  })
})
afterAll(async () => {
  await probe?.[Symbol.asyncDispose]()
  await uninstall()
})

test('no request fails while the pods of the gateway are replaced', async () => {
  const over = new AbortController()
  const running = probe.run({ rate: RATE, signal: over.signal })
  let report: Report
  try {
    for (let count = 0; count < UPGRADES; count += 1) await upgrade(await newImage('gateway'))
  } finally {
    over.abort()
    report = await running
  }
  expect(report).toMatchObject({ ok: true, failures: [], missing: [] })
})
