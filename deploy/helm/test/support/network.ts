import type { ChartObject, Labels, Pod } from './objects.ts'
import { selects } from './objects.ts'

interface Selector {
  readonly matchLabels?: Labels
}

interface Peer {
  readonly podSelector?: Selector
  readonly namespaceSelector?: Selector
  readonly ipBlock?: { readonly cidr: string }
}

interface Rule {
  readonly from?: readonly Peer[]
  readonly to?: readonly Peer[]
  readonly ports?: readonly { readonly port: string | number; readonly protocol?: string }[]
}

interface NetworkPolicy {
  readonly podSelector: Selector
  readonly policyTypes: readonly string[]
  readonly ingress?: readonly Rule[]
  readonly egress?: readonly Rule[]
}

/** What NetworkPolicies of one namespace allow, evaluated as Kubernetes defines it. */
export class Network {
  readonly #policies: readonly NetworkPolicy[]
  readonly #namespace: string

  constructor(objects: readonly ChartObject[], namespace: string) {
    this.#namespace = namespace
    this.#policies = objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => spec as NetworkPolicy)
  }

  /** Whether a pod may open TCP connections to the named port of another. */
  allows(from: Pod, to: Pod, port: string): boolean {
    const number = to.containers
      .flatMap(({ ports }) => ports ?? [])
      .find(({ name }) => name === port)?.containerPort
    if (number === undefined) throw new Error(`${to.component} has no port ${port}`)
    const isPort = (rule: Rule) =>
      rule.ports?.some(
        (each) => (each.protocol ?? 'TCP') === 'TCP' && [port, number].includes(each.port),
      ) ?? true
    return (
      this.#passes('Ingress', to, (rule) => isPort(rule) && this.#matches(rule.from, from)) &&
      this.#passes('Egress', from, (rule) => isPort(rule) && this.#matches(rule.to, to))
    )
  }

  #passes(type: 'Ingress' | 'Egress', pod: Pod, allows: (rule: Rule) => boolean): boolean {
    const policies = this.#policies.filter(
      ({ policyTypes, podSelector }) =>
        policyTypes.includes(type) &&
        pod.namespaceLabels['kubernetes.io/metadata.name'] === this.#namespace &&
        selects(podSelector.matchLabels ?? {}, pod.labels),
    )
    const rules = policies.flatMap(({ ingress, egress }) =>
      type === 'Ingress' ? (ingress ?? []) : (egress ?? []),
    )
    return policies.length === 0 || rules.some(allows)
  }

  /** Whether one of the peers selects a pod. Without peers, all do. Addresses select no pods. */
  #matches(peers: readonly Peer[] | undefined, pod: Pod): boolean {
    if (peers === undefined || peers.length === 0) return true
    return peers.some(({ podSelector, namespaceSelector, ipBlock }) => {
      if (ipBlock !== undefined) return false
      const isNamespace =
        namespaceSelector === undefined
          ? pod.namespaceLabels['kubernetes.io/metadata.name'] === this.#namespace
          : selects(namespaceSelector.matchLabels ?? {}, pod.namespaceLabels)
      return isNamespace && selects(podSelector?.matchLabels ?? {}, pod.labels)
    })
  }
}
