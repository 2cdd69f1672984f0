import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { listIn } from './support/agents.ts'
import { startFullDeployer, type FullDeployer } from './support/full-deployer.ts'
import { KINDS, type Obstruction } from './support/refusable-kinds.ts'
import { testEachKind } from './support/refusal-tests.ts'

let stage: FullDeployer
beforeAll(async () => {
  stage = await startFullDeployer()
})
afterAll(async () => {
  await stage.deployer[Symbol.asyncDispose]()
})

/**
 * Allows no new objects of a kind, and deletes the existing ones: quotas don't apply to changes.
 */
const exhaust: Obstruction = async (
  { deployer: { cluster } },
  { kind, resource, group, namespace },
) => {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`
  const counted = `count/${resource}${group === '' ? '' : `.${group}`}`
  await cluster.send({
    method: 'POST',
    path,
    body: { metadata: { name: 'none' }, spec: { hard: { [counted]: '0' } } },
  })
  await waitFor(
    async () => {
      const { body } = await cluster.send<{ status?: { used?: object } }>({
        method: 'GET',
        path: `${path}/none`,
      })
      return Object.hasOwn(body.status?.used ?? {}, counted)
    },
    { what: 'the quota to be counted' },
  )
  // A new revision has new Secrets anyway.
  const existing = kind === 'Secret' ? [] : await listIn(cluster, kind, namespace)
  for (const object of existing) await deleteObject(cluster, keyOf(object))
  return async () => {
    await cluster.send({ method: 'DELETE', path: `${path}/none` })
  }
}

describe('a kind that a quota rejects', () => {
  // The quota itself counts as one of the quotas.
  const kinds = KINDS.map(([kind]) => kind).filter((kind) => kind !== 'ResourceQuota')
  testEachKind(() => stage, exhaust, /exceeded quota: none/, { kinds })
})
