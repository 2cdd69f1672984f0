import { installRelease } from '@slipway/local/parts/install-release'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cluster } from '../support/cluster.ts'
import { helm, NAMESPACE, uninstall, upgrade } from '../support/release.ts'

// `helm test` shows whether NetworkPolicies have an effect. As a cluster without enforcement does,
// another policy opens the services, and other settings open private networks to agents.

const POLICIES = `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`
const OPEN = { metadata: { name: 'open' }, spec: { podSelector: {}, ingress: [{}] } }
const RPC_PORTS = ['catalog', 'deployer', 'observability'].map(
  (service) => new RegExp(`the gRPC port of slipway-${service}.slipway.svc, at 10[.].+ port 9100`),
)
const OF_AGENTS = [
  /the API server, at 10.96.0.1 port 443/,
  /the kubelet of a node, at 10.240.0.1 port 10250/,
  /another namespace: slipway-gateway.slipway.svc, at 10.96.+ port 80/,
]

async function runTest(): Promise<{ readonly passes: boolean; readonly log: string }> {
  try {
    return { passes: true, log: await helm('test', '--logs', '--timeout=5m') }
  } catch (error) {
    return { passes: false, log: String((error as { stdout?: string }).stdout) }
  }
}

beforeAll(async () => {
  await installRelease()
})
afterAll(uninstall)

test('the test of the chart passes where policies are enforced', async () => {
  const { passes, log } = await runTest()
  expect(log).toContain('ok: the pod of this test reaches nothing that NetworkPolicies close')
  expect(log).toContain('ok: the agent reaches nothing that NetworkPolicies close')
  expect(passes).toBe(true)
})

test('it fails where a service is open, with the address and what to do', async () => {
  await cluster.call('POST', POLICIES, OPEN)
  const { passes, log } = await runTest()
  await cluster.call('DELETE', `${POLICIES}/open`)
  for (const port of RPC_PORTS) expect(log).toMatch(port)
  expect(log).toContain('Use a network plugin (CNI) that enforces NetworkPolicy.')
  expect(log).toContain('networkPolicy.enforced')
  expect(passes).toBe(false)
})

test('it fails where an agent reaches what it must not, and deletes the agent', async () => {
  await upgrade('--set-json=agents.internalRanges=["192.0.2.0/24"]')
  const { passes, log } = await runTest()
  for (const target of OF_AGENTS) expect(log).toMatch(target)
  for (const port of RPC_PORTS) expect(log).not.toMatch(port)
  expect(log).toContain('agents.internalRanges')
  expect(log).toContain('ok: the agent is deleted')
  expect(passes).toBe(false)
})

test('it passes with a warning where policies are known to have no effect', async () => {
  await cluster.call('POST', POLICIES, OPEN)
  await upgrade('--set=networkPolicy.enforced=false')
  const { passes, log } = await runTest()
  expect(log).toContain('warning: the pod of this test reaches what NetworkPolicies close to it:')
  expect(log).toContain('warning: the agent reaches what NetworkPolicies close to it:')
  for (const target of [...RPC_PORTS, ...OF_AGENTS]) expect(log).toMatch(target)
  expect(passes).toBe(true)
})
