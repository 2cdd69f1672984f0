import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { waitFor } from '@slipway/testing'
import { beforeAll, describe, expect, test } from 'vitest'

import { HttpSender } from '../prober/http-sender.ts'
import { Probe } from '../prober/probe.ts'
import type { Report } from '../prober/report.ts'
import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'

// The prober notices what a proxy in front of the gateway does to its requests.

const swallowed = { message: 'swallowed' }

let report: Report

beforeAll(async () => {
  await using proxy = await faultyProxy(fromStack('SLIPWAY_URL'))
  const tokens = [() => tokenOf('alice'), () => tokenOf('bob')]
  await using probe = await Probe.open({ url: proxy.url, tokens })
  proxy.plant(/^GET .*\/me$/, 'reset')
  proxy.plant(/^GET .*\/agents\?limit/, { status: 503, body: { code: 'unavailable' } })
  proxy.plant(/^GET .*\/agents\/[^/]+\?limit/, { status: 429, body: { code: 'rate_limited' } })
  proxy.plant(/\/register$/, { status: 201, body: swallowed })
  proxy.plant(/\/publish$/, { status: 201, body: swallowed })
  const over = new AbortController()
  const running = probe.run({ rate: 60, signal: over.signal, patienceMs: 1_000 })
  await waitFor(() => proxy.planted === 0, { what: 'all faults' })
  over.abort()
  report = await running
})

describe('the prober reports', () => {
  test('a reset connection', () => {
    expect(report.kinds['me']?.resets).toBe(1)
    const failure = expect.objectContaining({ kind: 'me', problem: 'reset' })
    expect(report.failures).toContainEqual(failure)
  })

  test('a 503 and a 429 with their codes', () => {
    expect(report.kinds['public list']?.server_errors).toEqual({ '503 unavailable': 1 })
    expect(report.kinds['list']?.rejections).toEqual({ '429 rate_limited': 1 })
  })

  test('acknowledged writes that are missing', () => {
    expect(report.missing_count).toBe(2)
    expect(report.missing).toContainEqual(expect.stringMatching(/: register of b\d+$/))
    expect(report.missing).toContainEqual(expect.stringMatching(/: publish of b\d+ as 1\.\d+\.0$/))
    expect(report.ok).toBe(false)
  })
})

test('a sender distinguishes a refused connection from an answer that takes too long', async () => {
  using sender = new HttpSender()
  const refused = await sender.send({ method: 'GET', url: 'http://127.0.0.1:1' })
  expect(refused).toMatchObject({ failure: 'refused' })
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  expect(await sender.send({ method: 'GET', url, timeoutMs: 10 })).toMatchObject({
    failure: 'timeout',
  })
  server.close()
})
