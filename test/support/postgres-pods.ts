import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { pushImage } from '@slipway/agent-image/parts'
import { buildStoreImages, STORE_IMAGES } from '@slipway/images'
import { waitFor } from '@slipway/testing'
import { Client } from 'pg'

import { cluster, type Pod } from './cluster.ts'
import { fromStack } from './environment.ts'

/** The services with a database. */
export const SERVICES_WITH_DATABASE = ['catalog', 'deployer', 'observability'] as const

/** The URL of each service's database. */
export type DatabaseUrls = Readonly<Record<(typeof SERVICES_WITH_DATABASE)[number], string>>

const MAIN = resolve(import.meta.dirname, '../../tools/main.ts')
const PASSWORD = 'for this test'
/** The folders to which the server writes. */
const FOLDERS = ['/data', '/tmp', '/var/run/postgresql']

/** Postgres servers in pods, with the client programs of the same version. */
export interface PostgresPods extends AsyncDisposable {
  /** Starts a server with an empty database for each service. */
  start(name: string): Promise<DatabaseUrls>
  /**
   * Writes `pg_dump` and `pg_restore` to a folder. They run in the pod of a server. If the variable
   * BEFORE_DUMP has a URL, `pg_dump` first sends its arguments there.
   */
  writePrograms(folder: string, server: string): Promise<void>
}

/** Creates a namespace for the pods. */
export async function openPostgresPods(): Promise<PostgresPods> {
  const registry = fromStack('SLIPWAY_REGISTRY')
  for (const { repository, tag, image } of await buildStoreImages())
    await pushImage(registry, repository, tag, image)
  const { repository, tag } = STORE_IMAGES.postgres
  const image = `${registry}/${repository}:${tag}`
  const namespace = `postgres-${randomBytes(4).toString('hex')}`
  const pods = `/api/v1/namespaces/${namespace}/pods`
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  return {
    async start(name) {
      await cluster.call('POST', pods, serverPod(name, image))
      const address = await waitFor(
        async () => {
          const { status } = (await cluster.call('GET', `${pods}/${name}`)) as PodWithAddress
          return status.phase === 'Running' && status.podIP
        },
        { what: `the pod ${name}` },
      )
      const admin = `postgres://admin:${encodeURIComponent(PASSWORD)}@${address}:5432/postgres`
      return await createDatabases(admin)
    },
    async writePrograms(folder, server) {
      await mkdir(folder, { recursive: true })
      for (const program of ['pg_dump', 'pg_restore']) {
        const hook =
          program === 'pg_dump' ? 'test -z "$BEFORE_DUMP" || curl -fsS -d "$*" "$BEFORE_DUMP"' : ''
        const inPod = `exec /usr/lib/postgresql/*/bin/${program} "$@"`
        const exec = `exec -i -n ${namespace} ${server} -- sh -c '${inPod}' ${program} "$@"`
        const file = join(folder, program)
        const kubectl = `"${process.execPath}" "${MAIN}" kubectl ${exec}`
        const script = ['#!/bin/sh', 'set -e', hook, kubectl, ''].join('\n')
        await writeFile(file, script)
        await chmod(file, 0o755)
      }
    },
    async [Symbol.asyncDispose]() {
      await cluster.call('DELETE', `/api/v1/namespaces/${namespace}`)
    },
  }
}

interface PodWithAddress extends Pod {
  readonly status: Pod['status'] & { readonly podIP?: string }
}

function serverPod(name: string, image: string) {
  const env = {
    POSTGRES_USER: 'admin',
    POSTGRES_PASSWORD: PASSWORD,
    POSTGRES_DB: 'admin',
    PGDATA: '/data/postgres',
  }
  return {
    metadata: { name },
    spec: {
      automountServiceAccountToken: false,
      securityContext: { fsGroup: 999 },
      containers: [
        {
          name: 'postgres',
          image,
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
          volumeMounts: FOLDERS.map((mountPath, index) => ({ name: `folder-${index}`, mountPath })),
        },
      ],
      volumes: FOLDERS.map((_, index) => ({ name: `folder-${index}`, emptyDir: {} })),
    },
  }
}

/** Each service has its own user, like in the guide for operators. */
async function createDatabases(admin: string): Promise<DatabaseUrls> {
  const connect = async () => {
    const started = new Client({ connectionString: admin })
    await started.connect()
    return started
  }
  const client = await waitFor(connect, { what: 'Postgres' })
  try {
    for (const name of SERVICES_WITH_DATABASE) {
      await client.query(`CREATE USER ${name} PASSWORD '${name}'`)
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
    }
    const { host } = new URL(admin)
    const urls = SERVICES_WITH_DATABASE.map((name) => [
      name,
      `postgres://${name}:${name}@${host}/${name}`,
    ])
    return Object.fromEntries(urls) as DatabaseUrls
  } finally {
    await client.end()
  }
}
