import { Agent } from 'node:http'

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { createClient, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { createConnectUnaryTransport } from '@slipway/shared/rpc'

import { repeat, type Side, type StartSide } from '../side.ts'
import { HEADERS, METHOD, METHOD_PATH, REQUEST, TIMEOUT_MS } from './rpc.ts'

const IN_FLIGHT = 16

/** Clients of one unary method at the address that is their input. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: (address) => callBy(createConnectUnaryTransport([address])),
  'connect-node': (address) =>
    callBy(
      createConnectTransport({
        httpVersion: '1.1',
        baseUrl: `http://${address}`,
        useBinaryFormat: true,
        nodeOptions: { agent: new Agent({ keepAlive: true }) },
      }),
    ),
  'grpc-js': callByGrpcJs,
}

function callBy(transport: Transport): Side {
  const client = createClient(AccountService, transport)
  const options = { headers: HEADERS, timeoutMs: TIMEOUT_MS }
  return { run: (count) => repeat(count, IN_FLIGHT, () => client.checkAccess(REQUEST, options)) }
}

function callByGrpcJs(address: string): Side {
  const client = new Client(address, credentials.createInsecure())
  const serialize = (message: typeof REQUEST) =>
    Buffer.from(toBinary(METHOD.input, create(METHOD.input, message)))
  const deserialize = (bytes: Buffer) => fromBinary(METHOD.output, bytes)
  const call = async (): Promise<unknown> =>
    await new Promise((resolve, reject) => {
      const metadata = new Metadata()
      for (const [name, value] of Object.entries(HEADERS)) metadata.set(name, value)
      const options = { deadline: Date.now() + TIMEOUT_MS }
      client.makeUnaryRequest(
        METHOD_PATH,
        serialize,
        deserialize,
        REQUEST,
        metadata,
        options,
        (error, response) => (error ? reject(error) : resolve(response)),
      )
    })
  return { run: (count) => repeat(count, IN_FLIGHT, call) }
}
