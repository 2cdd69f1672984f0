import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { login } from '@slipway/identity-provider/device-login'
import { installRelease } from '@slipway/local/parts/install-release'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cluster, find, list, type Pod } from '../support/cluster.ts'
import { InstallUser } from '../support/install-user.ts'
import {
  addressOf,
  CHECKOUT,
  imageOf,
  NAMESPACE,
  podsOf,
  releaseImages,
  uninstall,
  upgrade,
} from '../support/release.ts'

// What an operator does to an install of the demo: an upgrade, a restart of its Postgres, and the
// uninstall, with the commands of the guide.

const AGENT = 'uninstalled'
const OTHERS_NAMESPACE = 'agent-of-another-release'
const OWN_SECRET = 'credentials-of-the-operator'
/** What Kubernetes itself puts into each namespace. */
const OF_KUBERNETES = ['configmap/kube-root-ca.crt', 'serviceaccount/default']

let folder: string
let namespaceOfAgent: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-demo-release-'))
  await writeProgram('helm', 'tool helm')
  await writeProgram('kubectl', 'kubectl')
  const { SLIPWAY_ISSUER: issuer = '', SLIPWAY_OTLP_URL: ingestUrl = '' } = await installRelease()
  const url = `http://${await addressOf('gateway')}`
  const alice = await InstallUser.open({ url, ingestUrl }, await login(issuer, 'alice'))
  const image = imageOf(await releaseImages(), 'chart-test-agent')
  const agent = { image, port: 8080, environment: { TARGETS: '[]' } }
  await alice.publish({
    account: alice.account,
    name: AGENT,
    version: '1.0.0',
    registry: 'registry.example.com',
    spec: JSON.stringify({ spec: 'astro/v1', name: AGENT, agent }),
  })
  const { status, body } = await alice.deploy(AGENT)
  expect(status).toBe(200)
  namespaceOfAgent = body.k8s_namespace
})
afterAll(async () => {
  await uninstall()
  await cluster.call('DELETE', `/api/v1/namespaces/${OTHERS_NAMESPACE}`).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

/** Makes a program that the guide's commands call, of the stack's tools. */
async function writeProgram(name: string, command: string): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\nexec '${CHECKOUT}/dev' ${command} "$@"\n`)
  await chmod(file, 0o755)
}

/** Runs a script as an operator does; returns what it prints. */
async function inShell(script: string): Promise<string> {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  const shell = ['-e', '-o', 'pipefail', '-c', script]
  return (await promisify(execFile)('/bin/bash', shell, { env })).stdout
}

/** Returns the blocks of commands in the guide. */
async function commandsOfGuide(): Promise<string[]> {
  const guide = await readFile(join(CHECKOUT, 'docs/guide/uninstall.md'), 'utf8')
  return [...guide.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

async function podIds(): Promise<string[]> {
  const pods = await list<Pod>(`/api/v1/namespaces/${NAMESPACE}/pods`)
  return pods.map(({ metadata }) => String(metadata.uid)).toSorted()
}

/** Returns what is in the namespace of the release but the events. */
async function objectsOfNamespace(): Promise<string[]> {
  const kinds = await inShell('kubectl api-resources --namespaced --verbs=list -o name')
  const listed = kinds.split('\n').filter((kind) => kind !== '' && !kind.startsWith('events'))
  const found = await inShell(`kubectl get ${listed.join(',')} -n ${NAMESPACE} -o name`)
  return found.split('\n').filter((name) => name !== '' && !OF_KUBERNETES.includes(name))
}

/** Returns the objects outside of namespaces whose names have the name of the release. */
async function objectsOfCluster(): Promise<string[]> {
  const kinds = await inShell('kubectl api-resources --namespaced=false --verbs=list -o name')
  const listed = kinds.split('\n').filter((kind) => kind !== '')
  const found = await inShell(`kubectl get ${listed.join(',')} -o name`)
  return found.split('\n').filter((name) => name.includes('/slipway-slipway'))
}

test('the first upgrade restarts nothing that has not changed', async () => {
  const before = await podIds()
  await upgrade()
  expect(await podIds()).toEqual(before)
})

test('Postgres has stopped in time when its pod ends', async () => {
  const [pod] = await podsOf('postgres')
  await inShell(`kubectl delete pod -n ${NAMESPACE} ${pod?.metadata.name}`)
  const log = `kubectl logs -n ${NAMESPACE} ${pod?.metadata.name}`
  const started = await waitFor(
    async () => {
      const lines = await inShell(log)
      return lines.includes('database system is ready') ? lines : undefined
    },
    { what: 'the log of Postgres' },
  )
  expect(started).toContain('database system was shut down')
  expect(started).not.toContain('not properly shut down')
})

test('the commands of the guide find and remove what an uninstall leaves', async () => {
  const labels = { 'slipway.dev/release': 'slipway-other' }
  const another = { metadata: { name: OTHERS_NAMESPACE, labels } }
  await cluster.call('POST', '/api/v1/namespaces', another)
  const own = { metadata: { name: OWN_SECRET } }
  await cluster.call('POST', `/api/v1/namespaces/${NAMESPACE}/secrets`, own)
  await inShell(`helm test slipway -n ${NAMESPACE} --timeout=5m`)

  const [look, remove, clean, ...more] = await commandsOfGuide()
  expect(more).toEqual([])
  const found = await inShell(look ?? '')
  expect(found).toContain('kubectl get namespaces -l slipway.dev/release=slipway-slipway')
  expect(found).toContain(namespaceOfAgent)
  expect(found).not.toContain(OTHERS_NAMESPACE)
  await inShell(remove ?? '')
  expect(await find(`/api/v1/namespaces/${namespaceOfAgent}`)).toBeUndefined()
  expect(await find(`/api/v1/namespaces/${OTHERS_NAMESPACE}`)).toBeDefined()
  const left = await inShell(clean ?? '')
  for (const part of ['clickhouse-slipway-observability-0', 'data-slipway-postgres-0', OWN_SECRET])
    expect(left).toContain(part)
  expect(await objectsOfNamespace()).toEqual([`secret/${OWN_SECRET}`])
  expect(await objectsOfCluster()).toEqual([])
})
