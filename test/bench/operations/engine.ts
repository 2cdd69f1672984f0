import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

import type { ApiObject } from '@slipway/local/kubernetes/client'
import { waitFor } from '@slipway/testing'

import { cluster, find } from '../../support/cluster.ts'
import { NAMESPACE } from '../../support/release.ts'

const NAME = 'bench-engine'
const PORT = 8123
const PROGRAM = join(
  import.meta.dirname,
  '../../../services/observability/test/support/clickhouse-http-main.ts',
)
/** Where the image of observability has the engine's library. */
const LIBRARY = '/app/services/observability/package.json'

/** The URL of the engine for the release. */
export const ENGINE_URL = `http://${NAME}:${PORT}`
/** The pod of the engine. */
export const ENGINE_POD = `${NAME}-0`

/**
 * Starts ClickHouse's engine in a separate pod, which serves ClickHouse's HTTP interface, from the
 * image of observability. There is no image of a ClickHouse server here.
 */
export async function startEngine(image: string): Promise<void> {
  const metadata = { name: NAME, namespace: NAMESPACE }
  const labels = { app: NAME }
  await apply('v1', 'configmaps', { metadata, data: { 'main.mjs': await program() } })
  const port = { port: PORT }
  await apply('v1', 'services', { metadata, spec: { selector: labels, ports: [port] } })
  const container = {
    name: 'engine',
    image,
    command: ['node', '/script/main.mjs', '/data/db', String(PORT)],
    resources: { requests: { cpu: '100m', memory: '512Mi' } },
    readinessProbe: { tcpSocket: port, periodSeconds: 1 },
    volumeMounts: [
      { name: 'script', mountPath: '/script' },
      { name: 'data', mountPath: '/data' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
  const volumes = [
    { name: 'script', configMap: { name: NAME } },
    { name: 'tmp', emptyDir: {} },
  ]
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } }
  await apply('apps/v1', 'statefulsets', {
    metadata,
    spec: {
      serviceName: NAME,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], volumes } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  })
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets/${NAME}`
  await waitFor(async () => isReady(await find<StatefulSet>(path)), { what: 'the engine' })
}

interface StatefulSet extends ApiObject {
  readonly metadata: ApiObject['metadata'] & { readonly generation: number }
  readonly status: {
    readonly observedGeneration?: number
    readonly currentRevision?: string
    readonly updateRevision?: string
    readonly readyReplicas?: number
  }
}

/** Whether the pod is ready, and not one that will be replaced. */
function isReady(object: StatefulSet | undefined): boolean {
  const { observedGeneration, currentRevision, updateRevision, readyReplicas } =
    object?.status ?? {}
  const isCurrent = observedGeneration === object?.metadata.generation
  return isCurrent && currentRevision === updateRevision && readyReplicas === 1
}

async function program(): Promise<string> {
  const source = stripTypeScriptTypes(await readFile(PROGRAM, 'utf8'))
  const required = `import { createRequire } from 'node:module'
const { Session } = createRequire('${LIBRARY}')('chdb')`
  return source.replace("import { Session } from 'chdb'", required).replace("'127.0.0.1'", "'::'")
}

/** Creates an object, or changes it. */
async function apply(
  version: string,
  plural: string,
  object: Readonly<Record<string, unknown>> & { readonly metadata: { readonly name: string } },
): Promise<void> {
  const kinds: Readonly<Record<string, string>> = {
    configmaps: 'ConfigMap',
    services: 'Service',
    statefulsets: 'StatefulSet',
  }
  const group = version === 'v1' ? '/api/v1' : `/apis/${version}`
  const path = `${group}/namespaces/${NAMESPACE}/${plural}/${object.metadata.name}`
  await cluster.call(
    'PATCH',
    `${path}?fieldManager=bench&force=true`,
    { apiVersion: version, kind: kinds[plural], ...object },
    'application/apply-patch+yaml',
  )
}
