import type { ResolvedComponent } from '@slipway/agent-spec'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import {
  nameOf,
  objectMetadata,
  podSelector,
  type ComponentRef,
  type Identity,
} from './identity.ts'
import type { NetworkSettings } from './settings.ts'
import type { NetworkPolicy, NetworkPolicySpec } from './types.ts'

/**
 * Renders a deployment's network policies. The default policy selects all pods and allows traffic
 * within the namespace, DNS, and the internet except internal ranges. The others allow the agent to
 * reach the ingest endpoint, and the ingress controller to reach exposed components.
 */
export function renderNetworkPolicies(
  identity: Identity,
  components: readonly ResolvedComponent[],
  settings: NetworkSettings,
): KubernetesObject[] {
  const agent = components.find(({ kind }) => kind === 'agent')
  const policies = [renderDefault(identity, settings)]
  if (agent?.telemetry && settings.ingest.length > 0) {
    policies.push(
      renderPolicy(identity, agent, 'telemetry', {
        podSelector: { matchLabels: podSelector(identity, agent) },
        policyTypes: ['Egress'],
        egress: [
          {
            to: [...settings.ingest],
            ...(settings.ingestPort !== undefined && {
              ports: [{ protocol: 'TCP', port: settings.ingestPort }],
            }),
          },
        ],
      }),
    )
  }
  if (settings.ingressController.length === 0) return policies
  for (const component of components) {
    if (component.expose === undefined) continue
    policies.push(
      renderPolicy(identity, component, 'exposed', {
        podSelector: { matchLabels: podSelector(identity, component) },
        policyTypes: ['Ingress'],
        ingress: [
          {
            _from: [...settings.ingressController],
            ports: [{ protocol: 'TCP', port: component.expose.port }],
          },
        ],
      }),
    )
  }
  return policies
}

function renderDefault(identity: Identity, settings: NetworkSettings): KubernetesObject {
  const isV6 = (range: string) => range.includes(':')
  const dns: NonNullable<NetworkPolicySpec['egress']> =
    settings.dns.length === 0
      ? []
      : [
          {
            to: [...settings.dns],
            ports: [
              { protocol: 'UDP', port: 53 },
              { protocol: 'TCP', port: 53 },
            ],
          },
        ]
  return renderPolicy(identity, { kind: 'agent' }, 'default', {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ _from: [{ podSelector: {} }] }],
    egress: [
      { to: [{ podSelector: {} }] },
      ...dns,
      {
        to: [
          {
            ipBlock: {
              cidr: '0.0.0.0/0',
              except: settings.internalRanges.filter((range) => !isV6(range)),
            },
          },
          { ipBlock: { cidr: '::/0', except: settings.internalRanges.filter(isV6) } },
        ],
      },
    ],
  })
}

function renderPolicy(
  identity: Identity,
  component: ComponentRef,
  suffix: string,
  spec: NetworkPolicySpec,
): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: objectMetadata(
      identity,
      `${nameOf(identity, component, 63 - suffix.length - 1)}-${suffix}`,
      component,
    ),
    spec: fromKeyword(spec),
  }
}

/** The client library's types call the field `from` `_from`; its serializer isn't used here. */
function fromKeyword(spec: NetworkPolicySpec): NetworkPolicySpec {
  const ingress = spec.ingress?.map(({ _from, ...rule }) => ({ ...rule, from: _from }))
  return { ...spec, ...(ingress && { ingress }) }
}
