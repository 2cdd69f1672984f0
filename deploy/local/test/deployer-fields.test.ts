import { isDeepStrictEqual } from 'node:util'
import { waitFor } from '@slipway/testing'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import {
  apply,
  asDeployer,
  binding,
  namespaceName,
  namespaceNamed,
  OWN_LABELS,
} from './support/as-deployer.ts'
import { containerLevels } from './support/container-levels.ts'
import { podLevels } from './support/pod-levels.ts'
import { sampleOf, typeNamed } from './support/schema.ts'
import type { Schemas } from './support/schema.ts'
import type { Level } from './support/smallest-objects.ts'

// Every field that this version of Kubernetes has, set with the deployer's token. A field that is
// in neither list fails here: decide whether deploys need it.

const OWN = namespaceName('fields')
const DRY = 'dryRun=All&fieldValidation=Strict'

let admin: ApiClient
let deployer: ApiClient
let schemas: Schemas
beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  deployer = createApiClient(fromStack('DEPLOYER_KUBECONFIG'))
  const documents = await Promise.all(
    ['apis/apps/v1', 'api/v1'].map(
      async (group) => (await admin.call('GET', `/openapi/v3/${group}`)) as { components: object },
    ),
  )
  schemas = Object.assign(
    {},
    ...documents.map(({ components }) => (components as { schemas: Schemas }).schemas),
  ) as Schemas
  expect(await apply(namespaceNamed(OWN, OWN_LABELS))).toBe('ok')
  expect(await apply(binding(), OWN)).toBe('ok')
  await waitFor(
    async () => (await asDeployer('GET', `/api/v1/namespaces/${OWN}/secrets`)) === 'ok',
    {
      what: 'the deployer to have its permissions',
    },
  )
})
afterAll(async () => {
  await admin.call('DELETE', `/api/v1/namespaces/${OWN}`)
})

const LEVELS = Object.entries({ ...podLevels, ...containerLevels })
const DEPLOYMENTS = 'apis/apps/v1/namespaces/OWN/deployments'

/** What Kubernetes refuses itself, in every template of a pod or without a privileged kubelet. */
const BY_KUBERNETES = /not allowed in pod template|is not Supported|disallowed by cluster policy/

async function create(level: Level, object: object): Promise<{ spec?: unknown } | string> {
  const path = `/${(level.collection ?? DEPLOYMENTS).replace('OWN', OWN)}?${DRY}`
  try {
    return (await deployer.call('POST', path, object)) as { spec: unknown }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (JSON.parse(error.answer) as { message: string }).message
  }
}

test.each(LEVELS)('a %s has only the fields of deploys', async (type, level) => {
  const present = await create(level, level.make({}))
  expect(present).toMatchObject({ spec: {} })
  const properties = Object.entries(typeNamed(schemas, type).properties ?? {})
  const gaps = properties.map(async ([field, schema]) => {
    if (level.allowed.includes(field)) return []
    const sample = level.samples?.[field] ?? { [field]: sampleOf(schemas, schema) }
    const made = await create(level, typeof sample === 'function' ? sample() : level.make(sample))
    if (typeof made === 'string') {
      const isRefused = /denied request: the deployer may only/.test(made)
      return isRefused || BY_KUBERNETES.test(made) ? [] : [`${field}: ${made}`]
    }
    // The API server drops a field whose feature is off.
    return isDeepStrictEqual(made.spec, (present as { spec: unknown }).spec)
      ? []
      : [`${field}: is accepted`]
  })
  expect((await Promise.all(gaps)).flat()).toEqual([])
})
