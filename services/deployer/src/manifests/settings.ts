import type { NetworkPolicyPeer } from './types.ts'

/** What an operator decides about the objects of every deployment. */
export interface ManifestSettings {
  readonly podSecurity: 'restricted' | 'baseline'
  /** User and group of pods whose image has no row in the provider table. */
  readonly podUid: number
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
  /** Secret with a certificate for all hosts; undefined leaves it to the annotations or goes without TLS. */
  readonly tlsSecret: string | undefined
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
