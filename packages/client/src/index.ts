export { createClient, type Client } from './client.ts'
export { toConnectionError } from './connection-error.ts'
export {
  ApiError,
  ConnectionError,
  type ConnectionReason,
  type FieldProblem,
  type Problem,
} from './errors.ts'
export type { components, operations, paths } from './gen/api.ts'
export { API_VERSION } from './gen/facts.ts'
export type {
  ClientOptions,
  PlannedRetry,
  ReceivedResponse,
  SentRequest,
  TokenRequest,
  TokenSource,
} from './options.ts'
export type { RetryOptions } from './retry.ts'
export type { AgentLogEntry, AgentLogOptions } from './stream/agent-logs.ts'
export type { AgentName, StreamOptions } from './stream/continued.ts'
export type { DeploymentEventOptions, ReceivedEvent } from './stream/deployment-events.ts'
export type { PodLogLine, PodLogOptions, PodOfAgent } from './stream/pod-logs.ts'
export type {
  Answer,
  Init,
  ItemOf,
  ListInit,
  ListPath,
  Method,
  PageOf,
  ParseAs,
  Schemas,
} from './types.ts'
