import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { cluster, find, type Pod } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'

// The environment of pods in the local cluster. One pod runs and reports it; the tests check its
// report.

const NAMESPACE = 'e2e-cluster'
const SCRIPT = readFileSync(
  new URL('../support/programs/network-probe.ts', import.meta.url),
  'utf8',
)
const PATH = `/api/v1/namespaces/${NAMESPACE}`

let seen: Record<string, unknown>

beforeAll(async () => {
  const example = resolve(import.meta.dirname, '../../examples/support-agent')
  const { reference } = await buildAgentImage(example, { registry: fromStack('SLIPWAY_REGISTRY') })
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE, labels } })
  await vi.waitUntil(async () => await find(`${PATH}/serviceaccounts/default`), {
    timeout: 120_000,
  })
  await cluster.call('POST', `${PATH}/persistentvolumeclaims`, {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
  })
  await cluster.call('POST', `${PATH}/pods`, {
    metadata: { name: 'looker' },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'looker',
          image: reference,
          command: ['node', '--input-type=module-typescript', '-e', SCRIPT],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  const isDone = async () =>
    /Succeeded|Failed/.test((await find<Pod>(`${PATH}/pods/looker`))?.status.phase ?? '')
  await vi.waitUntil(isDone, { timeout: 120_000, interval: 200 })
  // The client parses text that starts like JSON.
  seen = (await cluster.call('GET', `${PATH}/pods/looker/log`)) as Record<string, unknown>
})

afterAll(async () => {
  await cluster.call('DELETE', `/api/v1/namespaces/${NAMESPACE}`)
})

test('a pod writes to its volume without being root', () => {
  expect(seen).toMatchObject({ user: 1000, volume: 'ok' })
})

test('a pod resolves the cluster’s names and no others', () => {
  expect(seen).toMatchObject({ ownNames: 'ok', foreignNames: 'ENOTFOUND' })
})

test('a pod reaches this machine and nothing beyond', () => {
  expect(seen['machine']).toBe('ok')
  // Rejected by the firewall, or unreachable in a network namespace without outside access.
  expect(['ECONNREFUSED', 'ENETUNREACH']).toContain(seen['outside'])
})
