import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from '@slipway/proto/grpc/reflection/v1/reflection'
import { ServerReflection as AlphaServerReflection } from '@slipway/proto/grpc/reflection/v1alpha/reflection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

const SERVICE = 'slipway.deployer.v1.WorkloadService'

let fixture: RpcFixture
beforeAll(async () => {
  fixture = await rpcFixture({ reflection: true, drainMs: 100 })
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
})

const clientOf = (address: string) =>
  createClient(ServerReflection, createGrpcTransport({ baseUrl: `http://${address}` }))

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

async function ask(
  questions: readonly MessageInitShape<typeof ServerReflectionRequestSchema>[],
): Promise<ServerReflectionResponse['messageResponse'][]> {
  const answers: ServerReflectionResponse['messageResponse'][] = []
  for await (const { messageResponse } of clientOf(fixture.server.grpcAddress).serverReflectionInfo(
    each(questions),
  ))
    answers.push(messageResponse)
  return answers
}

function filesOf(answer: ServerReflectionResponse['messageResponse'] | undefined): string[] {
  if (answer?.case !== 'fileDescriptorResponse') throw new Error(`got ${answer?.case}`)
  return answer.value.fileDescriptorProto.map(
    (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
  )
}

describe('a server with reflection', () => {
  test('lists its services without a token, in both versions', async () => {
    const names = ['grpc.health.v1.Health', SERVICE]
    const [answer] = await ask([{ messageRequest: { case: 'listServices', value: '*' } }])
    expect(answer).toMatchObject({ value: { service: names.map((name) => ({ name })) } })
    const transport = createGrpcTransport({ baseUrl: `http://${fixture.server.grpcAddress}` })
    const alpha = createClient(AlphaServerReflection, transport)
    const question = { messageRequest: { case: 'listServices', value: '' } } as const
    for await (const { messageResponse } of alpha.serverReflectionInfo(each([question])))
      expect(messageResponse).toMatchObject({ value: { service: names.map((name) => ({ name })) } })
  })

  test('returns the file of a service, method or name, after those it imports', async () => {
    const answers = await ask([
      { messageRequest: { case: 'fileContainingSymbol', value: SERVICE } },
      { messageRequest: { case: 'fileContainingSymbol', value: `${SERVICE}.StreamLogs` } },
      {
        messageRequest: {
          case: 'fileByFilename',
          value: 'slipway/deployer/v1/workload_service.proto',
        },
      },
    ])
    for (const answer of answers) {
      const files = filesOf(answer)
      expect(files.at(-1)).toBe('slipway/deployer/v1/workload_service.proto')
      expect(new Set(files).size).toBe(files.length)
    }
    expect(answers).toHaveLength(3)
  })

  test('answers what it does not know with an error in the stream', async () => {
    const answers = await ask([
      { messageRequest: { case: 'fileContainingSymbol', value: 'no.Such' } },
      { messageRequest: { case: 'fileByFilename', value: '../secret.proto' } },
      { messageRequest: { case: undefined } },
    ])
    expect(answers).toMatchObject([
      { case: 'errorResponse', value: { errorCode: Code.NotFound } },
      { case: 'errorResponse', value: { errorCode: Code.NotFound } },
      { case: 'errorResponse', value: { errorCode: Code.InvalidArgument } },
    ])
  })

  test('bounds the requests of a stream together', async () => {
    const long = { messageRequest: { case: 'fileByFilename', value: 'x'.repeat(20_000) } } as const
    await expect(ask([long, long, long, long])).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    })
  })
})

test('a server without reflection does not have the service', async () => {
  await using plain = await rpcFixture({ drainMs: 100 })
  const answers = clientOf(plain.server.grpcAddress).serverReflectionInfo(each([]))
  await expect(answers[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: Code.Unimplemented,
  })
})
