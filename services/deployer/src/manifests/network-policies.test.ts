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
