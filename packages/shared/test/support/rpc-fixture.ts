import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'

import { InvalidInput, NotFound, Unauthenticated, Unavailable } from '../../src/errors.ts'
import { createLogger } from '../../src/logging/logger.ts'
import {
  createConnectUnaryTransport,
  createGrpcTransport,
  guardService,
  optionalUser,
  requireUser,
  startRpcServer,
  type RpcServer,
  type RpcTransport,
  type TrustedCa,
} from '../../src/rpc/index.ts'
import type { ServerCertificate } from '../../src/config/tls.ts'

const logger = createLogger('test', 'silent')

/** More problems than fit into the trailers of gRPC. */
export const MANY_VIOLATIONS = Array.from({ length: 5_000 }, (_, index) => ({
  field: `data.key-${index}`,
  description: 'is not a valid key',
}))

/** Accepts the tokens `user.NAME` and `service.NAME`. Verification itself is tested elsewhere. */
const tokenVerifier = {
  async verify(token: string) {
    const [kind, name = ''] = token.split('.')
    const expireTime = new Date(Date.now() + 60_000)
    const profile = {
      preferredUsername: name,
      email: undefined,
      givenName: undefined,
      familyName: undefined,
      name: undefined,
    }
    if (kind === 'user')
      return { kind: 'user', realm: 'test', subject: name, profile, expireTime, token } as const
    if (kind === 'service') return { kind: 'service', name, expireTime } as const
    if (kind === 'unknown')
      throw new Unavailable('issuer_unavailable', 'the token issuer is unreachable; retry later')
    throw new Unauthenticated('invalid_token', 'the access token is not valid')
  },
}

/** A server whose handlers act according to the names in their requests. */
export interface RpcFixture extends AsyncDisposable {
  readonly server: RpcServer
  /** Resolve it to let GetConfigMap of `held` return. */
  readonly held: PromiseWithResolvers<void>
  /** The signal of the last call of GetConfigMap. */
  readonly lastSignal: AbortSignal | undefined
  /** Whether a StreamLogs has ended, in any way. */
  readonly streamClosed: boolean
  /** How often GetConfigMap and RestartPod were handled. */
  readonly calls: Readonly<Record<'getConfigMap' | 'restartPod', number>>
  /** A transport that is closed with the fixture; by default to its server. */
  grpc(addresses?: readonly string[], trustedCa?: TrustedCa): RpcTransport
  connectUnary(addresses?: readonly string[], trustedCa?: TrustedCa): RpcTransport
}

/** Starts the server. */
export async function rpcFixture({
  certificate,
  drainMs,
  reflection = false,
  restartPod,
}: {
  readonly certificate?: ServerCertificate
  readonly drainMs?: number
  readonly reflection?: boolean
  /** Replaces RestartPod. */
  readonly restartPod?: ServiceImpl<typeof WorkloadService>['restartPod']
} = {}): Promise<RpcFixture> {
  const held = Promise.withResolvers<void>()
  const calls = { getConfigMap: 0, restartPod: 0 }
  let lastSignal: AbortSignal | undefined
  let streamClosed = false
  const implementation: ServiceImpl<typeof WorkloadService> = {
    async getConfigMap({ name, namespace }, context) {
      calls.getConfigMap += 1
      lastSignal = context.signal
      if (name === 'missing')
        throw new NotFound('config_map_not_found', 'config map not found', {
          metadata: { name },
          retryAfterMs: 1500,
          violations: [{ field: 'name', description: 'is unknown' }],
        })
      if (name === 'invalid')
        throw new InvalidInput('invalid_argument', 'the request is not valid', {
          violations: MANY_VIOLATIONS,
        })
      if (name.startsWith('long'))
        throw new NotFound('config_map_not_found', `config map ${name} not found`, {
          metadata: Object.fromEntries(
            MANY_VIOLATIONS.slice(0, 50).map(({ field }) => [field, name]),
          ),
          violations: [{ field: name, description: name }],
        })
      if (name === 'unavailable')
        throw new Unavailable('kubelet_unavailable', 'the node is unreachable')
      if (name === 'bug') throw new TypeError('secret detail of a bug')
      if (name === 'held') await held.promise
      if (name === 'slow')
        await new Promise((resolve) =>
          context.signal.addEventListener('abort', resolve, { once: true }),
        )
      return {
        name,
        namespace,
        data: {
          caller: requireUser(context).subject,
          request: context.requestHeader.get('x-request-id') ?? '',
        },
      }
    },
    async *streamLogs({ pod, tailLines }, context) {
      try {
        for (let line = 0; line < tailLines; line++) {
          context.signal.throwIfAborted()
          yield { data: Buffer.alloc(pod === 'large' ? 100_000 : 10, 'x') }
        }
        if (pod === 'failing')
          throw new Unavailable('kubelet_unavailable', 'the node is unreachable', {
            retryAfterMs: 2000,
          })
        if (pod === 'endless')
          await new Promise((resolve) =>
            context.signal.addEventListener('abort', resolve, { once: true }),
          )
      } finally {
        streamClosed = true
      }
    },
    async restartPod(request, context) {
      calls.restartPod += 1
      if (restartPod) return await restartPod(request, context)
      const { pod } = request
      const { signal } = context
      if (pod === 'bug') throw new TypeError('secret detail of a bug')
      if (pod === 'not-a-domain-error')
        throw new ConnectError('secret detail', Code.Internal, { connection: 'x' })
      if (pod === 'endless')
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      signal.throwIfAborted()
      if (pod === 'unavailable')
        throw new Unavailable('kubelet_unavailable', 'the node is unreachable')
      return { pod }
    },
    triggerIngestion: (_request, context) => ({
      jobName: optionalUser(context)?.subject ?? 'anonymous',
    }),
    resolveIngestToken: () => ({ deploymentId: 'd', accountId: 'a', agent: 'x', buildId: 'b' }),
  }
  const access = {
    getConfigMap: 'user',
    streamLogs: 'user',
    restartPod: 'user',
    triggerIngestion: 'optional',
    resolveIngestToken: { services: ['observability', 'reader'] },
  } as const
  const stack = new AsyncDisposableStack()
  const server = stack.use(
    await startRpcServer({
      logger,
      tokenVerifier,
      grpcAddress: '127.0.0.1:0',
      connectAddress: '127.0.0.1:0',
      opsAddress: '127.0.0.1:0',
      services: [
        guardService(WorkloadService, implementation as never, access as never, {
          logger,
          tokenVerifier,
        }),
      ],
      checks: {},
      certificate,
      reflection,
      ...(drainMs === undefined ? {} : { drainMs }),
    }),
  )
  return {
    server,
    held,
    calls,
    get lastSignal() {
      return lastSignal
    },
    get streamClosed() {
      return streamClosed
    },
    grpc: (addresses = [server.grpcAddress], trustedCa) =>
      stack.use(createGrpcTransport(addresses, [WorkloadService], trustedCa)),
    connectUnary: (addresses = [server.connectAddress], trustedCa) =>
      stack.use(createConnectUnaryTransport(addresses, trustedCa)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Options of a call by alice. */
export const asAlice = { headers: { authorization: 'Bearer user.alice', 'x-request-id': 'req-1' } }
