import { Code, createClient } from '@connectrpc/connect'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { createGrpcTransport } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, CALL_MS, failure } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('a replica that stops ends waits and streams, and another one continues them', async () => {
  const replica = await deployer.startReplica()
  const { deployments, workloads } = deployer.clientsOf(replica)
  using transport = createGrpcTransport([replica.grpcAddress], [LogService])
  const logs = createClient(LogService, transport)
  const agent = agentOf(deployer, owner, 'never-ready')
  const image = await pauseImage(deployer.cluster)
  await agent.register(
    'b1',
    `spec: astro/v1\nname: never-ready\nagent: {image: "${image}", port: 8080, ` +
      'healthcheck: {path: /healthz}}\n',
  )
  const target = { account: owner.account, name: agent.name }
  const long = { ...owner.options, timeoutMs: CALL_MS + 300_000 }
  const results = deployments
    .deployAndWait({ operation: { case: 'deploy', value: target }, wait: { seconds: 300n } }, long)
    [Symbol.asyncIterator]()
  const early = {
    status: DeployStatus.PARTIAL,
    revision: 1,
    rollout: { state: DeploymentState.PROGRESSING, waitInterrupted: true },
  }
  const { value: applied } = await results.next()
  expect(applied?.result).toMatchObject(early)
  const last = results.next()

  const pod = async () => (await agent.get())?.components[0]?.pods[0]
  await waitFor(async () => (await pod())?.phase === 'Running', { what: 'the pod' })
  const namespace = applied?.result?.k8sNamespace ?? ''
  const log = { account: owner.account, namespace, pod: (await pod())?.name ?? '', follow: true }
  const watching = deployments.watchDeployment(target, owner.options)[Symbol.asyncIterator]()
  const { value: snapshot } = await watching.next()
  const followed = [
    logs.streamAgentLogs({ ...target, follow: true }, owner.options)[Symbol.asyncIterator](),
    workloads.streamLogs(log, owner.options)[Symbol.asyncIterator](),
  ]
  await Promise.all(followed.map((stream) => stream.next()))
  const failures = Promise.all([watching, ...followed].map((stream) => failure(toTheEnd(stream))))

  await replica[Symbol.asyncDispose]()
  const stopping = { code: Code.Unavailable, reason: 'service_stopping', retryAfterMs: 1_000 }
  expect(await failures).toEqual([1, 2, 3].map(() => expect.objectContaining(stopping)))
  expect((await last).value?.result).toMatchObject(early)
  expect((await results.next()).done).toBe(true)

  const left = new AbortController()
  const { deploymentId: afterDeploymentId = '', sequence: afterSequence = 0n } = snapshot ?? {}
  const continued = deployer.deployments
    .watchDeployment(
      { ...target, afterDeploymentId, afterSequence },
      { ...owner.options, signal: left.signal },
    )
    [Symbol.asyncIterator]()
  expect((await continued.next()).value?.type).toBe(DeploymentEventType.RESUMED)
  left.abort()
})

async function toTheEnd(stream: AsyncIterator<unknown>): Promise<void> {
  while ((await stream.next()).done !== true);
}
