import { readFileSync } from 'node:fs'

import { Client, credentials } from '@grpc/grpc-js'
import { fastify } from 'fastify'

// A bare Fastify server: fixed bytes for the responses that the gateway caches, and one bare gRPC
// call for the others.
const address = process.env['HTTP_ADDRESS'] ?? ''
const client = new Client(process.env['GRPC_TARGET'] ?? '', credentials.createInsecure())
const app = fastify()

async function call(operation: string, index: number, body: unknown): Promise<Buffer> {
  const request = Buffer.from(JSON.stringify({ operation, index, body }))
  return await new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      '/bench.Bare/Run',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      request,
      (error, answer) => (error ? reject(error) : resolve(answer ?? Buffer.alloc(0))),
    )
  })
}

const indexOf = (agent: string) => Number(agent.slice(agent.indexOf('-') + 1))

app.get('/readyz', async () => ({ status: 'ok' }))
for (const name of ['list', 'detail']) {
  const file = process.env[`CACHED_${name.toUpperCase()}`]
  if (file === undefined) continue
  const bytes = readFileSync(file)
  app.get(`/cached/${name}`, (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
  })
}
app.get('/api/v1/agents/:account/:name', async (request, reply) => {
  const { name } = request.params as { name: string }
  return await reply.type('application/json').send(await call('detail', indexOf(name), undefined))
})
app.get('/api/v1/me', async (request, reply) =>
  reply
    .type('application/json')
    .send(await call('me', Number(request.headers['x-index']), undefined)),
)
for (const operation of ['register', 'publish']) {
  app.post(`/api/v1/agents/:account/:name/${operation}`, async (request, reply) => {
    const { account, name } = request.params as { account: string; name: string }
    await call(operation, indexOf(name), request.body)
    return await reply.code(201).send({ message: 'done', account, name })
  })
}
const separator = address.lastIndexOf(':')
await app.listen({ host: address.slice(0, separator), port: Number(address.slice(separator + 1)) })
