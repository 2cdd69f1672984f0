import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { AGENT } from '../people.ts'
import { repeat, UNREAD_MS, type Attack } from './attack.ts'

const ADDRESS = '127.0.0.2'
/** Just below the limit of Node for all headers of a request. */
const LARGE_HEADER = 'x'.repeat(15_000)
const DRIP_MS = 1_000

/** Attacks with connections, headers and tokens. */
export const connections: Readonly<Record<string, Attack>> = {
  'uploads by drip': async ({ system, person }) => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.token}\r\n` +
      `content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`
    await repeat(900, () => drip(system.gatewayUrl, head('/api/v1/deploy/validate'), ' '))
  },
  'headers by drip': async ({ system }) => {
    await repeat(900, () => drip(system.gatewayUrl, 'GET /api/v1/agents HTTP/1.1\r\n', 'a: b\r\n'))
  },
  'large headers': async ({ system, person }) => {
    const headers = { 'x-large': LARGE_HEADER }
    await repeat(64, () => person.client.send('GET', `${system.gatewayUrl}/agents`, { headers }))
  },
  'invented tokens': async ({ system, person: { client } }) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    let count = 0
    await repeat(64, async () => {
      const head = encode({ alg: 'ES256', kid: `k${(count += 1)}`, typ: 'at+jwt' })
      const token = `${head}.${encode({ iss: 'https://x', sub: LARGE_HEADER.slice(5_000) })}.AA`
      await client.send('GET', `${system.gatewayUrl}/me`, { token })
    })
  },
  'followed logs': async ({ system, person: { client, token }, deployed }) => {
    await repeat(200, async (index) => {
      const { account = '' } = deployed[index % deployed.length] ?? {}
      const path = `/agents/${account}/${AGENT}/deployment/logs?follow=true`
      const response = await client.open('GET', `${system.gatewayUrl}${path}`, { token })
      if (response.statusCode === 200) await delay(UNREAD_MS)
      response.destroy()
    })
  },
}

/** Sends the beginning of a request, and then a little each second until the server closes. */
async function drip(url: string, start: string, piece: string): Promise<void> {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), localAddress: ADDRESS })
  socket.on('error', () => {}).resume()
  const closed = once(socket, 'close')
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), DRIP_MS)
  await closed.finally(() => clearInterval(timer))
}
