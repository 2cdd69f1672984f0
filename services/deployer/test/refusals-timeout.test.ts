import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  startStage,
  testEachKind,
  untilHindered,
  type Hindrance,
  type Stage,
} from './support/refusable-kinds.ts'

const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

const open = new AsyncDisposableStack()
let port: number
/** How often the API server has asked. */
let asked = 0
let stage: Stage
beforeAll(async () => {
  port = await listenInSilence()
  stage = await startStage({ KUBERNETES_TIMEOUT_MS: '5000' })
  open.use(stage.deployer)
})
afterAll(async () => {
  await open.disposeAsync()
})

/** Takes every connection and never says a word. */
async function listenInSilence(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    asked += 1
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

/** Has the API server ask a webhook that never answers. */
const askNobody =
  (timeoutSeconds: number): Hindrance =>
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
    const before = asked
    await cluster.send({ method: 'POST', path: HOOKS, body })
    await untilHindered(at, refused, () => asked > before)
    return async () => {
      await cluster.send({ method: 'DELETE', path: `${HOOKS}/${name}` })
    }
  }

describe('each kind kept waiting in turn by a webhook that never answers', () => {
  testEachKind(() => stage, askNobody(1), /InternalError: .*failed calling webhook/)
})

describe('a webhook that is given more time than the deployer has', () => {
  testEachKind(() => stage, askNobody(30), /: Timeout: the cluster did not answer in time$/, {
    kinds: ['Secret', 'Deployment'],
    prefix: 'awaited',
  })
})
