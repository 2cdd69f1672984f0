import { createClient, type Client } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { ask, makeWorld, type World } from './support/catalog-fixture.ts'

/** More problems than are listed, which are more than fit into the trailers of gRPC. */
const PATHS = Array.from({ length: 900 }, (_, index) => `agent.no-such-path-${10_000 + index}`)
const OVERRIDES = Object.fromEntries(PATHS.map((path) => [path, 1]))
const DESCRIPTION = 'not an editable path of this agent'
const MESSAGE = 'the deployment is not valid: it has more than 100 problems'
const LISTED = PATHS.slice(0, 100)
const VIOLATIONS = LISTED.map((path) => ({ field: `overrides.${path}`, description: DESCRIPTION }))

let world: World

beforeAll(async () => {
  world = await makeWorld()
})

describe('a deploy with hundreds of problems, through REST', () => {
  test.each([
    ['/deploy', {}],
    ['/deploy/validate', { valid: false }],
  ])('%s responds with the first, and says that there are more', async (path, extension) => {
    const body = { account: world.account, name: world.published, overrides: OVERRIDES }
    const { status, text, headers } = await ask('POST', path, 'member', { body })
    const problems = VIOLATIONS.map(({ field, description }) => `${field}: ${description}`)
    const problem = {
      type: 'urn:slipway:problem:validation_failed',
      title: 'Bad Request',
      status: 400,
      detail: MESSAGE,
      instance: `/api/v1${path}`,
      code: 'validation_failed',
      error: MESSAGE,
      request_id: headers.get('x-request-id'),
      details: problems.join('; '),
      validation_errors: problems,
      ...extension,
    }
    expect([status, text]).toEqual([400, JSON.stringify(problem)])
  })

  test.each([
    ['/deploy', {}],
    ['/deploy/validate', { valid: false }],
  ])('%s rejects too many overrides, with the limit', async (path, extension) => {
    const overrides = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, 1]))
    const body = { account: world.account, name: world.published, overrides }
    const { status, body: problem } = await ask('POST', path, 'member', { body })
    expect(status).toBe(400)
    expect(problem).toMatchObject({
      code: 'invalid_argument',
      validation_errors: ['overrides: must have at most 1000 entries'],
      ...extension,
    })
  })

  test('a name longer than any trailer is not found', async () => {
    const body = { account: world.account, name: 'x'.repeat(100_000) }
    const { status, body: problem } = await ask('POST', '/undeploy', 'member', { body })
    expect([status, problem.code]).toEqual([404, 'deployment_not_found'])
  })
})

describe.each(['gRPC', 'Connect JSON'])(
  'a deploy with hundreds of problems, through %s',
  (kind) => {
    async function withClient<Value>(
      use: (client: Client<typeof DeploymentService>) => Promise<Value>,
    ) {
      const [address = ''] = fromStack('DEPLOYER_GRPC').split(',')
      const [connectAddress = ''] = fromStack('DEPLOYER_CONNECT').split(',')
      using grpc = createGrpcTransport([address], [DeploymentService])
      const baseUrl = `http://${connectAddress}`
      const transport =
        kind === 'gRPC'
          ? grpc
          : createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false })
      return await use(createClient(DeploymentService, transport))
    }
    const optionsOf = async () => ({
      headers: { authorization: `Bearer ${await tokenOf('carol')}` },
    })
    const target = () => ({
      account: world.account,
      name: world.published,
      overridesJson: JSON.stringify(OVERRIDES),
    })

    test('is a response of ValidateDeployment, with the first of them', async () => {
      const options = await optionsOf()
      const answer = await withClient((client) =>
        client.validateDeployment({ target: target() }, options),
      )
      const { valid, buildId, violations, hasMoreViolations, warnings } = answer
      expect([valid, buildId, hasMoreViolations, warnings]).toEqual([false, '', true, []])
      expect(violations.map(({ field, description }) => ({ field, description }))).toEqual(
        VIOLATIONS,
      )
    })

    test('is an error of Deploy, with the first of them and the number of the others', async () => {
      const options = await optionsOf()
      const error = readRemoteError(
        await withClient((client) =>
          client.deploy({ target: target() }, options).catch((thrown: unknown) => thrown),
        ),
      )
      const listed = error.violations.length
      const omitted = String(VIOLATIONS.length - listed)
      expect(listed).toBeGreaterThan(40)
      expect(error).toMatchObject({
        reason: 'validation_failed',
        message: `${MESSAGE} (${omitted} more problems are not listed)`,
        metadata: { omitted_violations: omitted },
        violations: VIOLATIONS.slice(0, listed),
      })
    })
  },
)
