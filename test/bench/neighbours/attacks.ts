import { connect } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'

import { growingSpec } from '../../support/hostile-specs.ts'
import { AGENT, type Deployed, type Person } from './people.ts'
import type { NeighboursSystem } from './system.ts'

/** What an attacker has: a user with several accounts, each with a deployment. */
export interface Attacker {
  readonly system: Pick<NeighboursSystem, 'gatewayUrl' | 'otlpGrpcUrl'>
  readonly person: Person
  readonly deployed: readonly Deployed[]
}

/** Never returns. */
export type Attack = (attacker: Attacker) => Promise<void>

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/**
 * Pause of a loop after each request. Refused requests return at once, and the attacker shares the
 * processors with the services.
 */
const PAUSE_MS = 100
/** How long a response stays open, unread. */
const UNREAD_MS = 15_000

/** The attacks by name. */
export const attacks: Readonly<Record<string, Attack>> = {
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

/** Runs loops side by side. */
async function repeat(loops: number, work: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: loops }, async (_, index) => {
      for (;;) {
        await work(index).catch(() => {})
        await delay(PAUSE_MS)
      }
    }),
  )
}
