import type { AgentOptions } from 'node:https'

/** How to reach a cluster, and with which credentials. */
export interface AccessSource {
  readonly server: URL
  readonly proxyUrl?: string | undefined
  /** Reads the present credentials. */
  readonly read: () => Promise<Credentials>
}

/** Certificates, and the headers with a token. */
export interface Credentials {
  readonly tls: Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>
  readonly headers: Readonly<Record<string, string>>
}
