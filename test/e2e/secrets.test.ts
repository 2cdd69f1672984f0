import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request, tokenOf } from '../support/api.ts'
import { cluster, list, readyPods } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { registerSupportAgent, undeploy, type RegisteredAgent } from '../support/support-agent.ts'

const NAME = 'secrets-agent'
/** Searched for everywhere, in plain text and as the base64 that Kubernetes uses. */
const CREDENTIAL = 'grep-for-this-credential-7f3a91'
const FORMS = [CREDENTIAL, Buffer.from(CREDENTIAL).toString('base64').replace(/=+$/, '')]

let agent: RegisteredAgent
let namespace: string

function formsIn(text: string): string[] {
  return FORMS.filter((form) => text.includes(form))
}

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: CREDENTIAL },
  }
  const answers = [
    await request('POST', '/deploy/validate', { as: 'alice', body }),
    await request('POST', '/deploy?wait=120', { as: 'alice', body }),
    // A rejection must not quote the request's values.
    await request('POST', '/deploy', {
      as: 'alice',
      body: { ...body, interfaces: ['no-such-adapter'] },
    }),
    await request('POST', '/deploy', {
      as: 'alice',
      body: { ...body, user_credentials: { ...body.user_credentials, 'not a name': CREDENTIAL } },
    }),
    await request('POST', '/deploy', { as: 'mallory', body }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 403])
  for (const { text } of answers) expect(formsIn(text)).toEqual([])
  namespace = answers[1]?.body.k8s_namespace
  expect(await readyPods(namespace)).toHaveLength(1)
})

afterAll(async () => {
  await undeploy(agent)
})

describe('the value of a credential', () => {
  test('is in a Secret of the namespace, and in no other object there', async () => {
    const secrets = await list(`/api/v1/namespaces/${namespace}/secrets`)
    expect(formsIn(JSON.stringify(secrets))).toHaveLength(1)
    const { resources: core } = (await cluster.call('GET', '/api/v1')) as ResourceList
    const { groups } = (await cluster.call('GET', '/apis')) as {
      groups: { preferredVersion: { groupVersion: string } }[]
    }
    const others = groups.map(async ({ preferredVersion: { groupVersion } }) => {
      const { resources } = (await cluster.call('GET', `/apis/${groupVersion}`)) as ResourceList
      return resources.map((resource) => ({ ...resource, base: `/apis/${groupVersion}` }))
    })
    const kinds = [
      ...core.map((resource) => ({ ...resource, base: '/api/v1' })),
      ...(await Promise.all(others)).flat(),
    ]
    const readable = kinds.filter(
      ({ name, namespaced, verbs }) => namespaced && verbs.includes('list') && name !== 'secrets',
    )
    expect(readable.length).toBeGreaterThan(15)
    for (const { base, name } of readable) {
      const objects = await list(`${base}/namespaces/${namespace}/${name}`)
      expect([name, formsIn(JSON.stringify(objects))]).toEqual([name, []])
    }
    expect(
      formsIn(JSON.stringify(await cluster.call('GET', `/api/v1/namespaces/${namespace}`))),
    ).toEqual([])
  })

  test.each(['CATALOG_DATABASE_URL', 'DEPLOYER_DATABASE_URL', 'OBSERVABILITY_DATABASE_URL'])(
    'is in no row of %s',
    async (name) => {
      const client = new pg.Client({ connectionString: fromStack(name) })
      await client.connect()
      try {
        const { rows: tables } = await client.query<{ name: string }>(
          `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
           WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
        )
        expect(tables.length).toBeGreaterThan(1)
        for (const { name: table } of tables) {
          const found = await client.query(
            `SELECT 1 FROM ${table} AS row WHERE row::text LIKE ANY ($1)`,
            [FORMS.map((form) => `%${form}%`)],
          )
          expect([table, found.rowCount]).toEqual([table, 0])
        }
      } finally {
        await client.end()
      }
    },
  )

  test('is in no event', async () => {
    const connection = await connect({ servers: fromStack('NATS_URL') })
    try {
      const manager = await jetstreamManager(connection)
      const { state } = await manager.streams.info('SLIPWAY')
      const consumer = await jetstream(connection).consumers.get('SLIPWAY')
      const subjects: string[] = []
      for await (const message of await consumer.fetch({
        max_messages: state.messages,
        expires: 10_000,
      })) {
        subjects.push(message.subject)
        expect(formsIn(Buffer.from(message.data).toString('latin1'))).toEqual([])
      }
      expect(subjects.filter((subject) => subject.startsWith('slipway.deployment.'))).not.toEqual(
        [],
      )
    } finally {
      await connection.drain()
    }
  })

  test('is in no log', async () => {
    for (const [file, text] of await logs()) expect([file, formsIn(text)]).toEqual([file, []])
  })
})

test('an access token is in no log, even if it was sent in a URL', async () => {
  const token = await tokenOf('alice')
  const { status } = await request('GET', `/me?access_token=${token}`)
  expect(status).toBe(401)
  const [, , signature = ''] = token.split('.')
  for (const [file, text] of await logs())
    expect([file, text.includes(signature)]).toEqual([file, false])
})

/** The logs of all services and servers, by file. */
async function logs(): Promise<readonly (readonly [file: string, text: string])[]> {
  const directory = fromStack('SLIPWAY_LOG_DIR')
  const files = (await readdir(directory)).filter((file) => file.endsWith('.log'))
  expect(files).toEqual(
    expect.arrayContaining(['deployer.log', 'gateway.log', 'kube-apiserver.log']),
  )
  return await Promise.all(
    files.map(async (file) => [file, await readFile(join(directory, file), 'latin1')] as const),
  )
}

interface ResourceList {
  readonly resources: {
    readonly name: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}
