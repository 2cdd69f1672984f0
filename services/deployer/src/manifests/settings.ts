import type { NetworkPolicyPeer } from './types.ts'

/** How much Pod Security asks of the pods of a namespace. */
export type PodSecurityLevel = 'restricted' | 'baseline'

/** What an operator allows an account, or one agent of it. */
export interface PodSecurityException {
  /** The account's id; names change. */
  readonly account: string
  /** Undefined: all of the account's. */
  readonly agent?: string
  readonly level?: PodSecurityLevel
  /** Instead of `podUid`; 0, root, only with `baseline`. */
  readonly uid?: number
}

/** What an operator decides about the objects of every deployment. */
export interface ManifestSettings {
  readonly podSecurity: PodSecurityLevel
  /** User and group of pods whose image has no row in the provider table. */
  readonly podUid: number
  readonly podSecurityExceptions: readonly PodSecurityException[]
  readonly readOnlyRootFilesystem: boolean
  readonly ingress: IngressSettings
  readonly network: NetworkSettings
  /** Content of a `.dockerconfigjson`; undefined when images need no credentials. */
  readonly pullSecret: string | undefined
}

/** How exposed components are reached from outside. */
export interface IngressSettings {
  /** Undefined: nothing is exposed. */
  readonly domain: string | undefined
  readonly className: string | undefined
  /** Secret with a certificate for all hosts, which the operator brings to each namespace. */
  readonly tlsSecret: string | undefined
  /**
   * A certificate for all hosts, with its key, that each namespace gets as a Secret. With neither,
   * the annotations see to it, or there is no TLS.
   */
  readonly certificate: { readonly chain: string; readonly key: string } | undefined
  /** E.g. the annotation that names a certificate issuer. */
  readonly annotations: Readonly<Record<string, string>>
  /** What the URLs that callers get begin with. */
  readonly scheme: 'http' | 'https'
  /** Port in those URLs; undefined for the scheme's own. */
  readonly port: number | undefined
}

/** Who pods may talk to beside their own namespace. */
export interface NetworkSettings {
  readonly dns: readonly NetworkPolicyPeer[]
  readonly ingest: readonly NetworkPolicyPeer[]
  readonly ingestPort: number | undefined
  readonly ingressController: readonly NetworkPolicyPeer[]
  /** Ranges that are no internet: the cluster's own, and other networks of the operator. */
  readonly internalRanges: readonly string[]
}
