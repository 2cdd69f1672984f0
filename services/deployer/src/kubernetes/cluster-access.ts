import { readFile } from 'node:fs/promises'
import { Agent, type AgentOptions } from 'node:https'

import type { KubeConfig } from '@kubernetes/client-node'

import { readProxyUrl } from './proxy.ts'

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
 * ServiceAccount. Throws an Error for an unusable file. Only this file uses the client library,
 * which supports every way to authenticate. Its requests are slower than ours over a pool of
 * keep-alive connections (p50 of eleven parallel applies: 124 ms against 48 ms).
 */
export async function openCluster(kubeconfigPath: string | undefined): Promise<ClusterAccess> {
  const { KubeConfig, loadYaml } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  let tokenFile: string | undefined
  if (kubeconfigPath === undefined) {
    config.loadFromCluster()
  } else {
    config.loadFromFile(kubeconfigPath)
    // The library reads `tokenFile` once or not at all, but a renewed token must be read again.
    tokenFile = findTokenFile(
      loadYaml(await readFile(kubeconfigPath, 'utf8')),
      config.getCurrentUser()?.name,
    )
  }
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error('KUBECONFIG: the current context has no cluster')
  return new RenewingAccess({
    server: new URL(cluster.server),
    config,
    tokenFile,
    proxyUrl: readProxyUrl(cluster),
  })
}

interface AccessSource {
  readonly server: URL
  readonly config: KubeConfig
  readonly tokenFile: string | undefined
  readonly proxyUrl: string | undefined
}

class RenewingAccess implements ClusterAccess {
  readonly server: URL
  readonly #config: KubeConfig
  readonly #tokenFile: string | undefined
  readonly #proxyUrl: string | undefined
  #connection: Promise<Connection> | undefined
  #agents: { readonly agent: Agent; readonly streamAgent: Agent } | undefined
  #tlsKey = ''
  #readAt = 0

  constructor({ server, config, tokenFile, proxyUrl }: AccessSource) {
    this.server = server
    this.#config = config
    this.#tokenFile = tokenFile
    this.#proxyUrl = proxyUrl
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
    const options: AgentOptions & { headers?: Record<string, string> } = {}
    await this.#config.applyToHTTPSOptions(options)
    const headers = { ...options.headers }
    if (this.#tokenFile !== undefined) {
      headers['Authorization'] = `Bearer ${(await readFile(this.#tokenFile, 'utf8')).trim()}`
    }
    const { ca, cert, key, rejectUnauthorized, servername } = options
    const tlsKey = JSON.stringify([ca, cert, key, rejectUnauthorized, servername])
    if (this.#agents === undefined || tlsKey !== this.#tlsKey) {
      // The old agents stay open for running requests and end with their last connection.
      this.#tlsKey = tlsKey
      const common: AgentOptions = {
        keepAlive: true,
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
        ...(servername === undefined ? {} : { servername }),
        ...(this.#proxyUrl === undefined
          ? {}
          : { proxyEnv: { HTTPS_PROXY: this.#proxyUrl }, timeout: PROXY_TIMEOUT_MS }),
      }
      this.#agents = {
        agent: new Agent({ ...common, maxSockets: MAX_SOCKETS }),
        streamAgent: new Agent(common),
      }
    }
    return { ...this.#agents, headers }
  }
}

function findTokenFile(document: unknown, userName: string | undefined): string | undefined {
  const users =
    (document as { users?: { name?: string; user?: { tokenFile?: unknown } }[] } | undefined)
      ?.users ?? []
  const path = users.find(({ name }) => name === userName)?.user?.tokenFile
  return typeof path === 'string' ? path : undefined
}
