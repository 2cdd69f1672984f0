import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { afterAll, beforeAll, describe } from 'vitest'

import { startFullDeployer, type FullDeployer } from './support/full-deployer.ts'
import { untilObstructed, type Obstruction } from './support/refusable-kinds.ts'
import { testEachKind } from './support/refusal-tests.ts'

const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

const open = new AsyncDisposableStack()
let port: number
/** How often the API server has called the webhook. */
let calls = 0
let stage: FullDeployer
beforeAll(async () => {
  port = await startSilentServer()
  stage = await startFullDeployer({ KUBERNETES_TIMEOUT_MS: '5000' })
  open.use(stage.deployer)
})
afterAll(async () => {
  await open.disposeAsync()
})

/** Starts a server that accepts connections and never responds. */
async function startSilentServer(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    calls += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.defer(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** Makes the API server call a webhook that never responds. */
const callSilentWebhook =
  (timeoutSeconds: number): Obstruction =>
  async (at, refused) => {
    const { resource, group, namespace } = refused
    const { cluster } = at.deployer
    const name = `silent-${resource}-${at.owner.accountId}`.toLowerCase()
    const body = {
      metadata: { name },
      webhooks: [
        {
          name: 'silent.slipway.dev',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: `https://127.0.0.1:${port}/` },
          failurePolicy: 'Fail',
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          rules: [
            {
              apiGroups: [group],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: [resource],
            },
          ],
          sideEffects: 'None',
          timeoutSeconds,
        },
      ],
    }
    const before = calls
    await cluster.send({ method: 'POST', path: HOOKS, body })
    await untilObstructed(at, refused, () => calls > before)
    return async () => {
      await cluster.send({ method: 'DELETE', path: `${HOOKS}/${name}` })
    }
  }

describe('a kind with a webhook that times out', () => {
  testEachKind(() => stage, callSilentWebhook(1), /InternalError: .*failed calling webhook/)
})

describe('a kind with a webhook that has a longer timeout than the deployer', () => {
  testEachKind(
    () => stage,
    callSilentWebhook(30),
    /: Timeout: the cluster did not respond in time$/,
    {
      kinds: ['Secret', 'Deployment'],
      prefix: 'awaited',
    },
  )
})
