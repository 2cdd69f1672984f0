import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { pathOf, titleOf } from './cases/case.ts'
import type { DeploymentCase } from './cases/deployment-case.ts'
import { deploymentCases, removingCases } from './cases/deployment-cases.ts'
import {
  CREDENTIALS,
  makeDeploymentWorld,
  type DeploymentWorld,
} from './support/deployment-fixture.ts'
import { ask } from './support/catalog-fixture.ts'
import { sendThroughRest } from './support/deployment-rest.ts'
import { sendAll } from './support/send-deployment-cases.ts'

/** Provoked in deployment-trouble.test.ts; 304 is tested below. */
const SPECIAL = ['304', '409', '422', '429', '500', '503']

let world: DeploymentWorld
let api: ApiDocument
let cases: DeploymentCase[]

beforeAll(async () => {
  world = await makeDeploymentWorld()
  api = await readApiDocument()
  cases = deploymentCases(world)
}, 240_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const listedStatuses = () =>
  [...api.operations].flatMap(([route, { tags, responses }]) =>
    tags?.includes('deployments')
      ? Object.keys(responses).map((status) => ({ route, status }))
      : [],
  )

describe('through REST', () => {
  test('covers every status that the API document lists for deployments', () => {
    const provoked = new Set(
      [...cases, ...removingCases(world)].map(({ route, status }) => `${route} ${status}`),
    )
    const listed = listedStatuses()
      .filter(({ status }) => !SPECIAL.includes(status))
      .map(({ route, status }) => `${route} ${status}`)
    expect(listed.length).toBeGreaterThan(70)
    expect(listed.filter((each) => !provoked.has(each))).toEqual([])
    expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
  })

  test('follows the API document in every case', async () => {
    const { found, expected } = await sendAll(world, (each) => sendThroughRest(api, each))
    expect(found).toEqual(expected)
    expect(cases.length).toBeGreaterThan(150)
  })

  test('returns 304 for every GET with JSON to callers that have its entity tag', async () => {
    const gets = cases.filter(({ route, status, isStream }) => {
      const isText = route.endsWith('/logs') || isStream === true
      return route.startsWith('GET') && status === 200 && !isText
    })
    expect(new Set(gets.map(({ route }) => route)).size).toBe(7)
    for (const each of gets) {
      // The cluster's state may change between the two requests: then the tag is another one.
      const again = await waitFor(
        async () => {
          const etag = (await ask('GET', pathOf(each), each.caller)).headers.get('etag') ?? ''
          const answer = await ask('GET', pathOf(each), each.caller, {
            headers: { 'if-none-match': etag },
          })
          const hasMovedOn =
            etag !== '' && answer.status === 200 && answer.headers.get('etag') !== etag
          return hasMovedOn ? undefined : answer
        },
        { what: `a response to ${titleOf(each)} that doesn't change` },
      )
      expect([titleOf(each), again.status, again.text]).toEqual([titleOf(each), 304, ''])
    }
  })

  test('deploys what it knows of a body, and names the rest', async () => {
    const { account, running } = world
    const body = { account, name: running, schedule: { nightly: '0 4 * * *' } }
    const { status, body: answer } = await ask('POST', '/deploy', 'member', { body })
    expect([status, answer.warnings]).toEqual([
      200,
      ['schedule: unknown field; did you mean schedules?'],
    ])
  })

  test('responds with the members of the contract, which are absent instead of null', async () => {
    const { account, running, namespace } = world
    const deployed = await ask('POST', '/deploy', 'member', {
      body: { account, name: running, user_credentials: CREDENTIALS },
    })
    expect(Object.keys(deployed.body)).toEqual([
      'status',
      'name',
      'build_id',
      'k8s_namespace',
      'deployed_at',
      'revision',
      'resources',
      'service_endpoints',
      'errors',
      'images',
      'build_choice',
    ])
    expect(deployed.body).toMatchObject({
      status: 'success',
      name: running,
      build_id: 'b1',
      build_choice: 'newest build',
      k8s_namespace: namespace,
      errors: [],
    })
    expect(deployed.body.deployed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const resource of deployed.body.resources) {
      expect(Object.keys(resource)).toEqual(['kind', 'name', 'namespace', 'status'])
      expect(resource.status).toBe('unchanged')
    }
    const url = `http://${running}-agent.${namespace}.svc.cluster.local:8080`
    expect(deployed.body.service_endpoints).toEqual([{ name: 'agent-http', url, type: 'http' }])
    const valid = await ask('POST', '/deploy/validate', 'member', {
      body: { account, name: running, visibility: 'public' },
    })
    const chosen = { build_id: 'b1', build_choice: 'newest build' }
    const warnings = ['visibility: unknown field']
    const source = { source_account_id: expect.any(String) as string }
    expect(valid.body).toEqual({ valid: true, ...chosen, ...source, name: running, warnings })
    const missing = await ask('POST', '/deploy/validate', 'member', {
      body: { account, name: running, interfaces: ['x'], schedules: { nightly: 'x' } },
    })
    expect(missing.body).toMatchObject({ status: 400, valid: false, code: 'validation_failed' })
    expect(missing.body.validation_errors).toEqual(missing.body.validation_errors.toSorted())
    const answers = [deployed.text, valid.text, missing.text]
    for (const path of ['', '/revisions']) {
      answers.push(
        (await ask('GET', `/agents/${account}/${running}/deployment${path}`, 'member')).text,
      )
    }
    const list = await ask('GET', `/deployments?account=${account}`, 'member')
    expect(list.body.deployments.map(({ name }: { name: string }) => name)).toContain(running)
    expect(list.text).not.toContain('"pods"')
    for (const text of [...answers, list.text]) expect(text).not.toContain(':null')
  })
})
