import { createCall, type CallInit, type HttpMethod } from './call.ts'
import type { ClientOptions } from './options.ts'
import { items, pages } from './pages.ts'
import { agentLogs, type AgentLogEntry, type AgentLogOptions } from './stream/agent-logs.ts'
import type { AgentName } from './stream/continued.ts'
import {
  deploymentEvents,
  type DeploymentEventOptions,
  type ReceivedEvent,
} from './stream/deployment-events.ts'
import { podLogs, type PodLogLine, type PodLogOptions, type PodOfAgent } from './stream/pod-logs.ts'
import type { ItemOf, ListInit, ListPath, Method, PageOf } from './types.ts'

/** A client of the Slipway API. Its methods throw an ApiError or a ConnectionError. */
export interface Client {
  /** URL of the installation, without a slash at the end. */
  readonly url: string
  readonly GET: Method<'get'>
  /** Adds an `Idempotency-Key` where the API takes one, unless `params.header` has one. */
  readonly POST: Method<'post'>
  readonly PUT: Method<'put'>
  readonly PATCH: Method<'patch'>
  readonly DELETE: Method<'delete'>
  /** The entries of a list. Requests the next page when the entries of the last are used up. */
  items<Path extends ListPath>(path: Path, init: ListInit<Path>): AsyncGenerator<ItemOf<Path>, void>
  /** The pages of a list. Requests a page when it is asked for. */
  pages<Path extends ListPath>(path: Path, init: ListInit<Path>): AsyncGenerator<PageOf<Path>, void>
  /**
   * The events of a deployment, each once, also after the connection was cut. Ends when the signal
   * aborts, or when the connection ends after the agent was undeployed.
   */
  deploymentEvents(
    agent: AgentName,
    options?: DeploymentEventOptions,
  ): AsyncGenerator<ReceivedEvent, void>
  /**
   * The lines and events of all pods of an agent. A followed log continues after the connection was
   * cut, without loss or repetition. Ends when the agent is undeployed or the signal aborts.
   */
  agentLogs(agent: AgentName, options?: AgentLogOptions): AsyncGenerator<AgentLogEntry, void>
  /** The same for the log of one container. Ends when the container ends or the signal aborts. */
  podLogs(pod: PodOfAgent, options?: PodLogOptions): AsyncGenerator<PodLogLine, void>
}

/** Creates a client. It sends nothing until a method is called. */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '')
  const { origin } = new URL(url)
  const call = createCall(options, url)
  const method = <Name extends HttpMethod>(name: Name): Method<Name> =>
    (async (path: string, init?: CallInit) =>
      await call(name, path, init)) as unknown as Method<Name>
  const context = { call, origin, onRetry: options.onRetry }
  return {
    url,
    GET: method('get'),
    POST: method('post'),
    PUT: method('put'),
    PATCH: method('patch'),
    DELETE: method('delete'),
    items: (path, init) => items(call, path, init),
    pages: (path, init) => pages(call, path, init),
    deploymentEvents: (of, streamOptions) => deploymentEvents(context, of, streamOptions),
    agentLogs: (of, streamOptions) => agentLogs(context, of, streamOptions),
    podLogs: (of, streamOptions) => podLogs(context, of, streamOptions),
  }
}
