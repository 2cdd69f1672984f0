import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import type { ChartObject } from './support/objects.ts'
import { example, objectsIn, renderText } from './support/render.ts'

const REFERENCE = resolve(import.meta.dirname, '../../kubernetes/deployer-rbac.yaml')
const RELEASE = { name: 'slipway', namespace: 'slipway-system' }

/** The objects that grant or limit the deployer's rights, without labels, by kind and name. */
function rights(text: string): Record<string, unknown> {
  const kinds = /^(ClusterRole|ClusterRoleBinding|ValidatingAdmissionPolicy(Binding)?)$/
  const objects = objectsIn(text).filter(({ kind }) => kinds.test(kind))
  return Object.fromEntries(
    objects.map(({ metadata, ...rest }: ChartObject) => [`${rest.kind}/${metadata.name}`, rest]),
  )
}

test('the deployer has the rights that deploy/kubernetes describes, and no others', async () => {
  const text = await renderText([example('one-node')], [], RELEASE)
  // Objects without a namespace have the release's in their name.
  const chart = rights(text.replaceAll('slipway-system-slipway-deployer', 'slipway-deployer'))
  expect(chart).toEqual(rights(await readFile(REFERENCE, 'utf8')))
  expect(Object.keys(chart)).toHaveLength(7)
})

test('only the deployer has rights', async () => {
  const text = await renderText([example('high-availability')])
  const bindings = objectsIn(text).filter(({ kind }) => kind.endsWith('RoleBinding'))
  expect(bindings.map((binding) => 'subjects' in binding && binding.subjects)).toEqual([
    [{ kind: 'ServiceAccount', name: 'acme-slipway-deployer', namespace: 'platform' }],
  ])
})
