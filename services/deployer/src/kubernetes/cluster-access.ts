import { Agent, type AgentOptions } from 'node:https'

import type { AccessSource } from './access-source.ts'
import { readPodAccount } from './pod-account.ts'

/** Tokens and certificates are read again after this time, so that renewed ones are used. */
const REFRESH_MS = 30_000
const MAX_SOCKETS = 64
/** Timeout of connecting through a proxy. Idle connections through it are also closed then. */
const PROXY_TIMEOUT_MS = 30_000

/** The connections and credentials of requests to the API server. */
export interface Connection {
  /** Connections for requests with a short response. */
  readonly agent: Agent
  /**
   * Connections for logs and watches. They are separate, so that logs and watches never use up
   * those of `agent`.
   */
  readonly streamAgent: Agent
  readonly headers: Readonly<Record<string, string>>
}

/** Access to a cluster. */
export interface ClusterAccess extends Disposable {
  /** Base URL of the API server. */
  readonly server: URL
  /**
   * Returns the connections and credentials. `renew` reads the credentials again, e.g. after a 401.
   */
  connect(options?: { renew?: boolean }): Promise<Connection>
}

/**
 * Reads how to reach a cluster from a kubeconfig file or, without one, from the pod's own
 * ServiceAccount. Throws an Error for an unusable file.
 */
export async function openCluster(kubeconfigPath: string | undefined): Promise<ClusterAccess> {
  if (kubeconfigPath === undefined) return new RenewingAccess(readPodAccount(process.env))
  // Imported only when used: the client library takes 40 MiB.
  const { readKubeconfig } = await import('./kubeconfig.ts')
  return new RenewingAccess(await readKubeconfig(kubeconfigPath))
}

class RenewingAccess implements ClusterAccess {
  readonly server: URL
  readonly #source: AccessSource
  #connection: Promise<Connection> | undefined
  #agents: { readonly agent: Agent; readonly streamAgent: Agent } | undefined
  #tlsKey = ''
  #readAt = 0

  constructor(source: AccessSource) {
    this.server = source.server
    this.#source = source
  }

  async connect({ renew = false }: { renew?: boolean } = {}): Promise<Connection> {
    if (this.#connection === undefined || renew || Date.now() - this.#readAt > REFRESH_MS) {
      this.#readAt = Date.now()
      const next = this.#read()
      this.#connection = next
      next.catch(() => {
        if (this.#connection === next) this.#connection = undefined
      })
    }
    return await this.#connection
  }

  [Symbol.dispose](): void {
    this.#agents?.agent.destroy()
    this.#agents?.streamAgent.destroy()
  }

  async #read(): Promise<Connection> {
    const { tls, headers } = await this.#source.read()
    const { proxyUrl } = this.#source
    const tlsKey = JSON.stringify(tls)
    if (this.#agents === undefined || tlsKey !== this.#tlsKey) {
      // The old agents stay open for running requests and end with their last connection.
      this.#tlsKey = tlsKey
      const common: AgentOptions = {
        keepAlive: true,
        ...tls,
        ...(proxyUrl === undefined
          ? {}
          : { proxyEnv: { HTTPS_PROXY: proxyUrl }, timeout: PROXY_TIMEOUT_MS }),
      }
      this.#agents = {
        agent: new Agent({ ...common, maxSockets: MAX_SOCKETS }),
        streamAgent: new Agent(common),
      }
    }
    return { ...this.#agents, headers }
  }
}
