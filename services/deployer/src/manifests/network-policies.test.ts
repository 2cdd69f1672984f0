import { expect, test } from 'vitest'

import { MANIFESTS, objectsOf, render } from '../../test/support/render.ts'
import { FULL_SPEC } from '../../test/support/specs.ts'
import type { NetworkPolicy } from './types.ts'

test('renders only the default policy without peers', () => {
  const network = { ...MANIFESTS.network, dns: [], ingest: [], ingressController: [] }
  const objects = objectsOf(render(FULL_SPEC, 'golden', 'b1', { ...MANIFESTS, network }))
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy[]
  expect(policies.map(({ metadata: { name } }) => name)).toEqual(['golden-agent-default'])
  expect(policies[0]?.spec?.egress).toHaveLength(2)
})

test('the default policy opens the namespace, DNS and the public internet, and no more', () => {
  const internalRanges = ['10.0.0.0/8', '169.254.0.0/16', 'fc00::/7']
  const dns = [{ podSelector: { matchLabels: { app: 'dns' } } }]
  const network = { ...MANIFESTS.network, dns, internalRanges }
  const objects = objectsOf(render(FULL_SPEC, 'golden', 'b1', { ...MANIFESTS, network }))
  const policy = objects.find(({ metadata: { name } }) => name === 'golden-agent-default')
  const everyPod = [{ podSelector: {} }]
  const ports = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }))
  expect((policy as NetworkPolicy | undefined)?.spec).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: everyPod }],
    egress: [
      { to: everyPod },
      { to: dns, ports },
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '169.254.0.0/16'] } },
          { ipBlock: { cidr: '::/0', except: ['fc00::/7'] } },
        ],
      },
    ],
  })
})
