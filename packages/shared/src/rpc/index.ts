export type { Access, AccessRules } from './policies/access.ts'
export {
  optionalUser,
  requestOrigin,
  requireUser,
  type RequestOrigin,
} from './policies/call-context.ts'
export { OMITTED_VIOLATIONS } from './policies/fit-trailers.ts'
export { unavailableMessage } from './called-service.ts'
export { readRemoteError, toDomainError, type RemoteError } from './policies/error-mapping.ts'
export { startConnectServer, type ConnectServer } from './server/connect-server.ts'
export { startGrpcServer, type GrpcServer } from './server/grpc-server.ts'
export type { AdmittedCall } from './server/grpc-admission.ts'
export { createConnectUnaryTransport } from './client/connect-unary-transport.ts'
export { createGrpcTransport } from './client/grpc-transport.ts'
export type { RpcTransport } from './client/rpc-transport.ts'
export { followRpcCa, type TrustedCa } from './client/trusted-ca.ts'
export { Readiness, type ReadinessCheck } from './server/health.ts'
export { closeWithin } from './server/http-drain.ts'
export { boundAddress, hostAndPort } from './host-and-port.ts'
export {
  DRAIN_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_RESPONSE_BYTES,
  MAX_TIMER_MS,
  NOTICE_MS,
  PUBLIC_NOTICE_MS,
} from './limits.ts'
export { addHealthRoutes, startOperationsServer } from './server/operations-server.ts'
export { awaitShared, callAsService, continueAsUser } from './client/outgoing.ts'
export {
  guardService,
  type GuardedService,
  type PolicyDependencies,
} from './policies/guard-service.ts'
export {
  startRpcServer,
  type ListenAddresses,
  type RpcServer,
  type RpcServerOptions,
} from './server/rpc-server.ts'
export { callerFacts } from './policies/caller-facts.ts'
export { requestIdFrom } from './policies/request-id.ts'
