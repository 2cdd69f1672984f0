import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { lineProxy, waitFor, type LineProxy } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { ApplyStep } from '../src/context.ts'
import { agentOf } from './support/agents.ts'
import {
  outcomeOf,
  requireEnv,
  startTestDeployer,
  type Person,
  type TestDeployer,
} from './support/deployer.ts'

let directory: string
let line: LineProxy
let kubeconfigVia: (proxy: LineProxy) => Promise<string>
let deployer: TestDeployer
let owner: Person
let onStep: (step: ApplyStep) => void = () => {}
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-line-'))
  const text = await readFile(requireEnv('DEPLOYER_KUBECONFIG'), 'utf8')
  const server = /server"?:\s*"?(https:[^\s",}]+)/.exec(text)?.[1] ?? ''
  line = await lineProxy(server)
  kubeconfigVia = async ({ url }) => {
    const file = join(directory, `kubeconfig-${new URL(url).port}`)
    await writeFile(file, text.replace(server, url.replace(/\/$/, '')))
    return file
  }
  deployer = await startTestDeployer(
    { KUBECONFIG: await kubeconfigVia(line), KUBERNETES_TIMEOUT_MS: '5000' },
    { onStep: (step) => onStep(step) },
  )
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  line.thaw()
  await deployer[Symbol.asyncDispose]()
  await line[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

describe('an API server that does not respond', () => {
  test('fails deploys, which write nothing, but not validation and state', async () => {
    const agent = agentOf(deployer, owner, 'silent')
    await agent.register()
    await waitFor(() => agent.deploy(), { what: 'the deploy' })
    line.freeze()
    expect(await outcomeOf(agent.deploy({ API_TOKEN: 'second-secret-value' }))).toBe(
      'cluster_unreachable',
    )
    expect(await agent.validate()).toMatchObject({ valid: true, buildId: 'b1' })
    expect(await agent.get()).toMatchObject({ revision: 1 })
    expect(await agent.revisions()).toHaveLength(1)
    line.thaw()
    const again = await waitFor(() => agent.deploy({ API_TOKEN: 'second-secret-value' }), {
      what: 'the line',
    })
    expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2 })
  })

  test('during a deploy leaves the rest to the reconciler', async () => {
    const agent = agentOf(deployer, owner, 'interrupted')
    await agent.register()
    onStep = (step) => {
      if (step === 'foundations_applied') line.freeze()
    }
    expect(await outcomeOf(agent.deploy())).toBe('cluster_unreachable')
    onStep = () => {}
    expect((await agent.revisions())[0]).toMatchObject({ state: RevisionState.APPLYING })
    line.thaw()
    await waitFor(async () => (await agent.revisions())[0]?.state === RevisionState.APPLIED, {
      what: 'the reconciler to finish',
    })
  })

  test('during an undeploy leaves the rest to the reconciler', async () => {
    const agent = agentOf(deployer, owner, 'remembered')
    await agent.register()
    await waitFor(() => agent.deploy(), { what: 'the deploy' })
    line.freeze()
    expect(await outcomeOf(agent.undeploy())).toBe('cluster_unreachable')
    line.thaw()
    await waitFor(async () => (await outcomeOf(agent.get())) === 'deployment_not_found', {
      what: 'the reconciler to finish the undeploy',
    })
  })

  test('is watched again after the connection was cut', async () => {
    const agent = agentOf(deployer, owner, 'watched-again')
    await agent.register()
    line.cut()
    const answer = await waitFor(() => agent.deploy(), { what: 'the connection' })
    expect(answer).toMatchObject({ status: DeployStatus.SUCCESS })
    await waitFor(async () => (await agent.get())?.components.some(({ pods }) => pods.length > 0), {
      what: 'the pod to be seen',
    })
  })
})

describe('an API server that is down', () => {
  test('fails a deploy immediately, and the deployer starts without it', async () => {
    const stopped = await lineProxy('https://127.0.0.1:1')
    const file = await kubeconfigVia(stopped)
    await stopped[Symbol.asyncDispose]()
    await using lonely = await startTestDeployer({ KUBECONFIG: file })
    const person = await lonely.signIn('owner')
    const agent = agentOf(lonely, person, 'lonely')
    await agent.register()
    expect(await outcomeOf(agent.deploy())).toBe('cluster_unreachable')
    expect(await agent.validate()).toMatchObject({ valid: true, buildId: 'b1' })
    expect(await outcomeOf(agent.get())).toBe('deployment_not_found')
  })
})
