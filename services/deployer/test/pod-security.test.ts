import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { createLogger } from '@slipway/shared/logger'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { readConfig } from '../src/config.ts'
import { readObject } from '../src/kubernetes/read.ts'
import { startDeployer } from '../src/service.ts'
import { agentOf, ROLLOUT_SECONDS, type Seen } from './support/agents.ts'
import { setInPolicy } from './support/admission.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

let deployer: TestDeployer
let owner: Person
let image: string
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
  image = await pauseImage(deployer.cluster)
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('runs only the agent as root that an operator allows to, under baseline', async () => {
  const exceptions = [{ account: owner.accountId, agent: 'rooted', level: 'baseline', uid: 0 }]
  const config = readConfig({
    ...deployer.env,
    POD_SECURITY_EXCEPTIONS: JSON.stringify(exceptions),
  })
  await using _allowed = await setInPolicy(deployer.cluster, 'slipway-deployer-namespaces', {
    name: 'exceptions',
    expression: `[{'account': '${owner.accountId}', 'agent': 'rooted'}]`,
  })
  await using lenient = await startDeployer(config, { logger: createLogger('deployer', 'silent') })
  const at = { ...deployer, ...deployer.clientsOf(lenient) }
  const seen = async (name: string) => {
    const agent = agentOf(at, owner, name)
    await agent.register('b1', `spec: astro/v1\nname: ${name}\nagent: {image: "${image}"}\n`)
    // The policy takes a moment to allow baseline. Until then, deploys fail.
    const answer = await waitFor(
      async () => {
        const result = await agent.deploy({}, {}, ROLLOUT_SECONDS).catch(() => undefined)
        return result?.status === DeployStatus.SUCCESS ? result : undefined
      },
      { what: 'the policy of namespaces to allow baseline' },
    )
    expect(answer).toMatchObject({
      status: DeployStatus.SUCCESS,
      rollout: { state: DeploymentState.READY, reason: '' },
    })
    const key = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: answer.k8sNamespace }
    const namespace = await readObject<Seen>(deployer.cluster, key)
    const [pod] = await agent.list('Pod', answer.k8sNamespace)
    return [
      namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'],
      pod?.spec?.['securityContext'],
    ]
  }
  expect(await seen('rooted')).toEqual([
    'baseline',
    expect.objectContaining({ runAsUser: 0, runAsNonRoot: false }),
  ])
  expect(await seen('plain')).toEqual([
    'restricted',
    expect.objectContaining({ runAsUser: 1000, runAsNonRoot: true }),
  ])
})
