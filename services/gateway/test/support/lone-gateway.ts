import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'

import { createLogger } from '@slipway/shared/logger'
import { testIssuer, type TestIssuer } from '@slipway/testing'

import { readConfig } from '../../src/config.ts'
import { startGateway, type Gateway, type GatewayOverrides } from '../../src/service.ts'

/** A gateway whose services and NATS are unreachable. */
export interface LoneGateway extends AsyncDisposable {
  readonly url: string
  readonly issuer: TestIssuer
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** Like `send`, but sends the request target unchanged, without resolving or encoding it. */
  sendRaw(method: string, target: string, options?: SendOptions): Promise<Answer>
}

/** The optional parts of a request. */
export interface SendOptions {
  readonly token?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with any status. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests read responses of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Starts the gateway. `env` adds to its environment variables or replaces them. */
export async function startLoneGateway(
  env: Readonly<Record<string, string>> = {},
  overrides: GatewayOverrides = {},
): Promise<LoneGateway> {
  const issuer = await testIssuer()
  const unreachable = '127.0.0.1:1'
  let gateway: Gateway
  try {
    const config = readConfig({
      HTTP_ADDRESS: '127.0.0.1:0',
      OPS_ADDRESS: '127.0.0.1:0',
      CATALOG_ADDRESS: unreachable,
      DEPLOYER_ADDRESS: unreachable,
      OBSERVABILITY_ADDRESS: unreachable,
      NATS_URL: `nats://${unreachable}`,
      AUTH_ISSUERS: issuer.issuersJson,
      IDEMPOTENCY_KEY_SECRET: 'ab'.repeat(32),
      ...env,
    })
    gateway = await startGateway(config, {
      logger: createLogger('gateway', 'silent'),
      ...overrides,
    })
  } catch (error) {
    await issuer[Symbol.asyncDispose]()
    throw error
  }
  return {
    url: gateway.url,
    issuer,
    async send(method, path, options = {}) {
      const { body } = options
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        headers: headersOf(options),
        ...(body === undefined ? {} : { body }),
      })
      return answerOf(response.status, response.headers, await response.text())
    },
    async sendRaw(method, target, options = {}) {
      const headers = Object.fromEntries(headersOf(options))
      const request = httpRequest(gateway.url, { method, path: target, headers, agent: false })
      request.end(options.body)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const pairs = Object.entries(response.headersDistinct).map(
        ([name, values = []]): [string, string] => [name, values.join(', ')],
      )
      return answerOf(response.statusCode ?? 0, new Headers(pairs), await readText(response))
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

function headersOf({ token, body, headers: extra }: SendOptions): Headers {
  const headers = new Headers(extra)
  if (token !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json')
  return headers
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  return { status, headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}
