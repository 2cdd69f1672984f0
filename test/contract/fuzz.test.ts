import { request as sendRequest } from 'node:http'

import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { makeWorld, type World } from './support/catalog-fixture.ts'
import { requestsTo, type RandomRequest } from './support/random-requests.ts'

/** Requests for each route. */
const RUNS = rounds(30)

let api: ApiDocument
let world: World

beforeAll(async () => {
  api = await readApiDocument()
  world = await makeWorld()
})

/** Sends a request unchanged; fetch would normalize its path. */
async function send(method: string, { path, headers, body, caller }: RandomRequest) {
  const { hostname, port } = new URL(fromStack('SLIPWAY_URL'))
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers }
  if (caller !== undefined) all['authorization'] = `Bearer ${await tokenOf(caller)}`
  if (body === undefined) delete all['content-type']
  return await new Promise<{ status: number; contentType: string; text: string }>(
    (resolve, reject) => {
      const outgoing = sendRequest(
        {
          hostname,
          port,
          method,
          path: `/api/v1${path}`,
          headers: { ...all, 'content-length': String(Buffer.byteLength(body ?? '')) },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              text:
                response.headers['content-encoding'] === undefined
                  ? Buffer.concat(chunks).toString()
                  : '',
            }),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    },
  )
}

test('follows the API document for random requests, and never responds with a 5xx', async () => {
  expect(api.operations.size).toBeGreaterThan(30)
  for (const [route, operation] of api.operations) {
    const method = route.slice(0, route.indexOf(' '))
    await fc.assert(
      fc.asyncProperty(requestsTo(route, operation, world), async (request) => {
        const { status, contentType, text: body } = await send(method, request)
        const isJson = /^application\/(\w+\+)?json/.test(contentType)
        const problem =
          status === 304 || body === ''
            ? operation.responses[String(status)] === undefined && `${status} is not documented`
            : api.problemWith(route, status, contentType, isJson ? JSON.parse(body) : body)
        expect({
          status: status < 500,
          problem: problem || undefined,
          body: body.slice(0, 300),
        }).toMatchObject({
          status: true,
          problem: undefined,
        })
      }),
      { numRuns: RUNS },
    )
  }
}, 3_600_000)
