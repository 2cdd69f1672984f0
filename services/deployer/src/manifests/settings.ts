import type { NetworkPolicyPeer } from './types.ts'

/** The Pod Security level of a namespace. */
export type PodSecurityLevel = 'restricted' | 'baseline'

/** An exception that an operator makes for an account or one of its agents. */
export interface PodSecurityException {
  /** The account's id, because names change. */
  readonly account: string
  /** Undefined means all agents of the account. */
  readonly agent?: string
  readonly level?: PodSecurityLevel
  /** Replaces `podUid`. 0 (root) requires `baseline`. */
  readonly uid?: number
}

/** The operator's settings for the objects of all deployments. */
export interface ManifestSettings {
  readonly podSecurity: PodSecurityLevel
  /** User and group id of pods whose image isn't in the provider table. */
  readonly podUid: number
  readonly podSecurityExceptions: readonly PodSecurityException[]
  readonly readOnlyRootFilesystem: boolean
  readonly ephemeralStorage: EphemeralStorage
  /** The maximum duration of a run of an ingestion. */
  readonly ingestionSeconds: number
  /** How long the first pod of a run may take to start. */
  readonly ingestionStartSeconds: number
  readonly ingress: IngressSettings
  readonly network: NetworkSettings
}

/** Space on the node for a container's files, volumes without a claim, and logs; quantities. */
export interface EphemeralStorage {
  readonly request: string
  readonly limit: string
  /** The limit of models, which may download their weights. */
  readonly modelLimit: string
}

/** Settings for access to exposed components from outside the cluster. */
export interface IngressSettings {
  /** Undefined means that nothing is exposed. */
  readonly domain: string | undefined
  readonly className: string | undefined
  /** Name of a TLS Secret for all hosts that the operator creates in each namespace. */
  readonly tlsSecret: string | undefined
  /** Annotations of Ingresses, e.g. the name of a certificate issuer. */
  readonly annotations: Readonly<Record<string, string>>
  /** Scheme of the URLs of endpoints. */
  readonly scheme: 'http' | 'https'
  /** Port in those URLs; undefined means the scheme's default. */
  readonly port: number | undefined
}

/** The peers that pods may reach, or be reached by, outside their namespace. */
export interface NetworkSettings {
  readonly dns: readonly NetworkPolicyPeer[]
  readonly ingest: readonly NetworkPolicyPeer[]
  readonly ingestPort: number | undefined
  readonly ingressController: readonly NetworkPolicyPeer[]
  /** CIDRs that don't count as internet: the cluster's and the operator's networks. */
  readonly internalRanges: readonly string[]
}
