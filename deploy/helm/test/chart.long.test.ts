import { join } from 'node:path'
import { fromStack } from '@slipway/testing/from-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { program, render, valuesFiles } from '../src/chart.ts'
import { buildTool } from '@slipway/local/install/toolchain'
import { createApiClient } from '@slipway/local/kubernetes/client'
import type { ApiClient } from '@slipway/local/kubernetes/client'
import { tryCommand } from '@slipway/local/process/run-command'
import { stackDirectories } from '@slipway/local/stack/stack'

// What the API server says to the objects of the chart, in a namespace with Pod Security
// `restricted`. Nothing is created.

const NAMESPACE = 'chart-dry-run'
const PRIORITY = '/apis/scheduling.k8s.io/v1/priorityclasses'
const { checkout } = stackDirectories()

let admin: ApiClient
let helm: string
let kubectl: string
let version: string

beforeAll(async () => {
  admin = createApiClient(fromStack('KUBECONFIG'))
  helm = await program(checkout, 'helm')
  const directory = await buildTool(stackDirectories(), 'kubernetes', () => undefined)
  kubectl = join(directory, 'kubectl')
  version = ((await admin.call('GET', '/version')) as { gitVersion: string }).gitVersion
  const mode = (name: string) => [`pod-security.kubernetes.io/${name}`, 'restricted'] as const
  const labels = Object.fromEntries([mode('enforce'), mode('warn')])
  await admin.call('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE, labels } })
  // The example for high availability names it.
  await admin.call('POST', PRIORITY, { metadata: { name: 'platform' }, value: 1 })
})
afterAll(async () => {
  await admin.call('DELETE', `${PRIORITY}/platform`)
  await admin.call('DELETE', `/api/v1/namespaces/${NAMESPACE}`)
})

test.each(valuesFiles(checkout))('a cluster accepts all objects of %s', async (values) => {
  const rendering = await render(helm, checkout, values, version, NAMESPACE)
  expect(rendering).toHaveProperty('text')
  const apply = ['apply', '--server-side', '--dry-run=server', '--filename=-']
  const { code, output, errors } = await tryCommand(
    kubectl,
    [`--kubeconfig=${fromStack('KUBECONFIG')}`, `--namespace=${NAMESPACE}`, ...apply],
    'text' in rendering ? servedObjects(rendering.text) : '',
  )
  // Warnings are errors, too: that is how Pod Security reports templates of pods.
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toContain('deployment.apps/slipway-gateway serverside-applied (server dry run)')
})

/**
 * Leaves out what the cluster doesn't have: the objects of the Prometheus operator, and IPv6, which
 * the Services of some examples ask for.
 */
function servedObjects(text: string): string {
  return parseAllDocuments(text)
    .filter((document) => !String(document.get('apiVersion')).startsWith('monitoring.coreos.com/'))
    .map((document) => {
      if (document.get('kind') === 'Service')
        for (const field of ['ipFamilies', 'ipFamilyPolicy']) document.deleteIn(['spec', field])
      return document.toString({ directives: true })
    })
    .join('')
}
