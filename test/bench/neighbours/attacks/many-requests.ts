import { connect } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'

import { growingSpec } from '../../../support/hostile-specs.ts'
import { AGENT } from '../people.ts'
import { repeat, UNREAD_MS, type Attack } from './attack.ts'

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/** Attacks with many ordinary requests, or with large ones. */
export const manyRequests: Readonly<Record<string, Attack>> = {
  'large validates': async ({ system, person }) => {
    const { client, token, account } = person
    const overrides = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`no.such.path.${index}`, 1]),
    )
    const url = `${system.gatewayUrl}/deploy/validate`
    const body = Buffer.from(JSON.stringify({ account, name: AGENT, overrides }))
    await repeat(16, () => client.send('POST', url, { token, body }))
  },
  'sockets that read nothing': async ({ system, person }) => {
    const { client, token, account } = person
    const url = `${system.gatewayUrl}/agents/${account}/large`
    await repeat(600, async () => {
      const response = await client.open('GET', url, { token })
      await delay(UNREAD_MS)
      response.destroy()
    })
  },
  'compressed details': async ({ system, person }) => {
    const { client, token, account } = person
    const url = `${system.gatewayUrl}/agents/${account}/large`
    const headers = { 'accept-encoding': 'br' }
    await repeat(16, () => client.send('GET', url, { token, headers }))
  },
  waits: async ({ system, person }) => {
    const { client, token, account } = person
    // The image doesn't exist.
    const body = { account, name: 'never-ready' }
    const url = `${system.gatewayUrl}/deploy?wait=300`
    await repeat(200, () => client.send('POST', url, { token, body }))
  },
  'trace queries for many accounts': async ({ system, person, deployed }) => {
    const { client, token } = person
    let count = 0
    await repeat(128, () => {
      const { account = '' } = deployed[count % deployed.length] ?? {}
      const traces = `${system.gatewayUrl}/agents/${account}/${AGENT}/observability/traces`
      return client.send('GET', `${traces}?query=x${(count += 1)}`, { token })
    })
  },
  'headers of OTLP over gRPC': async ({ system, deployed }) => {
    await repeat(deployed.length * 32, async (index) => {
      const session = connect(system.otlpGrpcUrl)
      session.on('error', () => {})
      const stream = session.request({
        ':method': 'POST',
        ':path': EXPORT,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${deployed[index % deployed.length]?.ingestToken}`,
      })
      stream.on('error', () => {}).resume()
      await new Promise((resolve) => stream.once('close', resolve))
      session.destroy()
    })
  },
  'anonymous searches': async ({ system, person }) => {
    let count = 0
    await repeat(64, () =>
      person.client.send('GET', `${system.gatewayUrl}/agents?q=x${(count += 1)}`, {}),
    )
  },
  'event streams': async ({ system, person, deployed }) => {
    const { client, token } = person
    await repeat(200, async (index) => {
      const { account = '' } = deployed[index % deployed.length] ?? {}
      const url = `${system.gatewayUrl}/agents/${account}/${AGENT}/deployment/events`
      const response = await client.open('GET', url, { token })
      if (response.statusCode === 200) await delay(UNREAD_MS)
      response.destroy()
    })
  },
  'registers and templates': async ({ system, person }) => {
    const { client, token, account } = person
    const url = `${system.gatewayUrl}/agents/${account}/growing`
    const registry = 'oci://registry.example'
    let count = 0
    await repeat(16, async () => {
      const spec = growingSpec()
      const body = { build_id: `b${(count += 1)}`, registry, spec_content: spec }
      await client.send('POST', `${url}/register`, { token, body })
      await client.send('GET', `${url}/deployment-template`, { token })
    })
  },
}
