import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, ROLLOUT_SECONDS } from './support/agents.ts'
import {
  requireEnv,
  startTestDeployer,
  type Person,
  type TestDeployer,
} from './support/deployer.ts'
import { startForwardProxy, type ForwardProxy } from './support/forward-proxy.ts'
import { pauseImage } from './support/pause-image.ts'

/** A host that no resolver knows: only the proxy connects it to the API server. */
const SERVER = 'api.invalid:6443'
/** Deployments, stateful sets, Jobs, cron jobs and pods, each on its own connection. */
const WATCHES = 5

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string } }]
}

let directory: string
let proxy: ForwardProxy
let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-proxy-'))
  const text = await readFile(requireEnv('DEPLOYER_KUBECONFIG'), 'utf8')
  const kubeconfig = JSON.parse(text) as Kubeconfig
  const [{ cluster }] = kubeconfig.clusters
  proxy = await startForwardProxy(new URL(cluster.server).host)
  const proxied = {
    ...cluster,
    server: `https://${SERVER}`,
    'tls-server-name': 'kubernetes.default.svc',
    'proxy-url': proxy.url,
  }
  const file = join(directory, 'kubeconfig')
  await writeFile(
    file,
    JSON.stringify({ ...kubeconfig, clusters: [{ ...kubeconfig.clusters[0], cluster: proxied }] }),
  )
  deployer = await startTestDeployer({ KUBECONFIG: file })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

test('sends requests, watches and log streams through the proxy of the kubeconfig', async () => {
  const agent = agentOf(deployer, owner, 'proxied')
  const image = await pauseImage(deployer.cluster)
  await agent.register('b1', `spec: astro/v1\nname: proxied\nagent: {image: "${image}"}\n`)
  // The rollout is ready only when the watches have seen it.
  const answer = await agent.deploy({}, {}, ROLLOUT_SECONDS)
  expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, errors: [] })
  expect(proxy.open).toBeGreaterThan(WATCHES)

  const pod = await agent.podName()
  const closed = new AbortController()
  const log = deployer.workloads
    .streamLogs(
      { account: owner.account, namespace: answer.k8sNamespace, pod, follow: true },
      { ...owner.options, signal: closed.signal },
    )
    [Symbol.asyncIterator]()
  await log.next()
  const following = proxy.open
  closed.abort()
  await waitFor(() => proxy.open < following, { what: 'the connection of the log to be closed' })
  expect(new Set(proxy.targets)).toEqual(new Set([SERVER]))
})
