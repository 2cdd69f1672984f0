import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureCertificates } from '@slipway/local/kubernetes/control-plane/certificates'
import { testNats } from '@slipway/testing'

import { runLoad } from '../support/load.ts'
import { compareSides, type Contender, type Rounds } from './compare-sides.ts'
import { hostileSpecCosts } from './hostile-specs.ts'
import { SideProcess } from './side-process.ts'

const HTTP_CONNECTIONS = 8
/** The cached responder leaves requests with an Origin to Fastify, whose response is the same. */
const PAST_THE_CACHE = 'Origin: https://console.example\r\n'

/** Every comparison, by the name that selects it. */
export const figures: Readonly<Record<string, (rounds: Rounds) => AsyncGenerator<object>>> = {
  rpc,
  kubernetes,
  'cached-responder': cachedResponder,
  'request-line': (rounds) => local('request-line', ['pino', 'pino without redaction'], rounds),
  'hostile-specs': hostileSpecCosts,
  'span-decoding': (rounds) => local('span-decoding', ['protobuf-es'], rounds),
  'span-rows': (rounds) => local('span-rows', ['JSON.stringify'], rounds),
  'template-yaml': (rounds) => local('template-yaml', ['yaml'], rounds),
}

/** A unary call: our client and server over HTTP/1.1, Connect's own, and grpc-js. */
async function* rpc(rounds: Rounds): AsyncGenerator<object> {
  using stack = new DisposableStack()
  const contender = async (name: string, [client, server]: readonly [string, string]) => {
    const serving = stack.use(await SideProcess.start('rpc-server', server))
    const calling = stack.use(await SideProcess.start('rpc-client', client, serving.output))
    return { name, processes: { client: calling, server: serving }, work: pacedBy(calling) }
  }
  yield* compareSides(
    'rpc',
    [
      await contender('slipway', ['slipway', 'slipway']),
      await contender('connect-node, connect-fastify', ['connect-node', 'connect-fastify']),
      await contender('grpc-js', ['grpc-js', 'grpc-js']),
    ],
    rounds,
  )
}

/** A server-side apply over HTTPS. */
async function* kubernetes(rounds: Rounds): AsyncGenerator<object> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  try {
    const certificates = join(directory, 'certificates')
    await ensureCertificates(certificates, [
      { name: 'server', commonName: 'server', addresses: ['127.0.0.1'] },
      { name: 'client', commonName: 'client' },
    ])
    using server = await SideProcess.start('kubernetes-server', 'echo', certificates)
    const kubeconfig = join(directory, 'kubeconfig')
    await writeFile(kubeconfig, kubeconfigOf(certificates, server.output))
    yield* local('kubernetes-client', ['client-node'], rounds, kubeconfig)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A public read from memory, on one gateway: by its cached responder, and by its Fastify route. */
async function* cachedResponder(rounds: Rounds): AsyncGenerator<object> {
  await using nats = await testNats()
  using gateway = await SideProcess.start('gateway', 'gateway', nats.url)
  const url = `${gateway.output}/api/v1/agents/alice/support`
  const contender = (name: string, headers: string): Contender => ({
    name,
    processes: { '': gateway },
    work: async (durationMs) => {
      const request = Buffer.from(
        `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`,
      )
      const { requests, statuses } = await runLoad({
        url,
        connections: HTTP_CONNECTIONS,
        durationMs,
        request: () => request,
      })
      if (statuses['200'] !== requests) throw new Error(`answers: ${JSON.stringify(statuses)}`)
      return requests
    },
  })
  yield* compareSides(
    'cached-responder',
    [contender('slipway', ''), contender('fastify route', PAST_THE_CACHE)],
    rounds,
  )
}

/** Sides that need no other process. */
async function* local(
  module: string,
  libraries: readonly string[],
  rounds: Rounds,
  input = '',
): AsyncGenerator<object> {
  using stack = new DisposableStack()
  const contender = async (name: string): Promise<Contender> => {
    const side = stack.use(await SideProcess.start(module, name, input))
    return { name, processes: { '': side }, work: pacedBy(side) }
  }
  const ours = await contender('slipway')
  const others = await Promise.all(libraries.map(contender))
  yield* compareSides(module, [ours, ...others], rounds)
}

/**
 * Runs as many operations as the side previously needed for this much CPU time. On a busy machine
 * rounds take longer, but have the same weight.
 */
function pacedBy(side: SideProcess): Contender['work'] {
  let perMs = 0.1
  return async (roundMs) => {
    const operations = Math.max(1, Math.round(perMs * roundMs))
    const before = await side.run(0)
    const after = await side.run(operations)
    perMs = (operations * 1000) / (after.cpuUs - before.cpuUs)
    return operations
  }
}

function kubeconfigOf(certificates: string, port: string): string {
  const file = (name: string) => join(certificates, name)
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority': file('ca.crt'),
  }
  const user = { 'client-certificate': file('client.crt'), 'client-key': file('client.key') }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [{ name: 'bench', cluster }],
    users: [{ name: 'bench', user }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  })
}
