import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { deleteObject } from '../src/kubernetes/delete.ts'
import { listIn } from './support/agents.ts'
import { startStage, testEachKind, type Hindrance, type Stage } from './support/refusable-kinds.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(async () => {
  await stage.deployer[Symbol.asyncDispose]()
})

/**
 * No more objects of a kind. What there is of them is removed: a quota looks at what is made, not
 * at what is changed.
 */
const exhaust: Hindrance = async (
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
  // The Secrets of a new revision are new anyway.
  const existing = kind === 'Secret' ? [] : await listIn(cluster, kind, namespace)
  for (const object of existing) await deleteObject(cluster, keyOf(object))
  return async () => {
    await cluster.send({ method: 'DELETE', path: `${path}/none` })
  }
}

describe('each kind refused in turn by a quota', () => {
  testEachKind(() => stage, exhaust, /exceeded quota: none/)
})
