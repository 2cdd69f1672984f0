import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTool } from '../install/toolchain.ts'
import { createApiClient } from '../kubernetes/client.ts'
import type { ApiClient } from '../kubernetes/client.ts'
import { runCommand } from '../process/run-command.ts'
import { stackDirectories } from '../stack/stack.ts'

// What metrics-server reports about pods, and an autoscaler that follows it.

const NAMESPACE = 'local-metrics'
const SELECTOR = encodeURIComponent('app=busy')

let admin: ApiClient

beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  await admin.call('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } })
  await admin.call('POST', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, busy())
  const autoscalers = `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`
  await admin.call('POST', autoscalers, autoscaler())
})
afterAll(async () => await admin.call('DELETE', `/api/v1/namespaces/${NAMESPACE}`))

test('reports the processor time and memory of a running pod', async () => {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${NAMESPACE}/pods?labelSelector=${SELECTOR}`
  const usage = async () => {
    const { items } = (await admin.call('GET', path)) as {
      items: { containers: { usage: { cpu: string; memory: string } }[] }[]
    }
    return items[0]?.containers[0]?.usage
  }
  await expect.poll(usage).toMatchObject({
    cpu: expect.stringMatching(/^[1-9]\d*[num]?$/),
    memory: expect.stringMatching(/^[1-9]\d*Ki$/),
  })
  const kubectl = join(
    await buildTool(stackDirectories(), 'kubernetes', () => undefined),
    'kubectl',
  )
  const top = ['top', 'pods', '--namespace', NAMESPACE, '--no-headers']
  const shown = await runCommand(kubectl, ['--kubeconfig', fromStack('KUBECONFIG'), ...top])
  expect(shown).toMatch(/^busy-\S+ +\d+m +\d+Mi/)
})

test('lets an autoscaler scale a Deployment by its processor time', async () => {
  const path = `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers/busy`
  const status = async () => {
    const found = (await admin.call('GET', path)) as { status: unknown }
    return found.status
  }
  await expect.poll(status).toMatchObject({
    desiredReplicas: 2,
    currentMetrics: [{ resource: { current: { averageUtilization: expect.any(Number) } } }],
  })
  const deployment = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/busy`
  const replicas = async () => {
    const { spec } = (await admin.call('GET', deployment)) as { spec: { replicas: number } }
    return spec.replicas
  }
  await expect.poll(replicas).toBe(2)
})

/** A pod that computes all the time, in a tenth of a processor. */
function busy() {
  const container = {
    name: 'busy',
    // Any image with Node that the stack has.
    image: fromStack('MESSAGING_IMAGE'),
    command: ['node', '--eval', 'for (;;);'],
    resources: { requests: { cpu: '10m' }, limits: { cpu: '100m', memory: '128Mi' } },
  }
  return {
    metadata: { name: 'busy' },
    spec: {
      selector: { matchLabels: { app: 'busy' } },
      template: {
        metadata: { labels: { app: 'busy' } },
        spec: { automountServiceAccountToken: false, containers: [container] },
      },
    },
  }
}

function autoscaler() {
  return {
    metadata: { name: 'busy' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'busy' },
      minReplicas: 1,
      maxReplicas: 2,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: target(50) } }],
    },
  }
}

function target(averageUtilization: number) {
  return { type: 'Utilization', averageUtilization }
}
