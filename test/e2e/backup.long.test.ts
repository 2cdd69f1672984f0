import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { buildAndPushAgent } from '@slipway/agent-image'
import { prepareClickHouse } from '@slipway/observability/testing/clickhouse-http'
import { testIssuer, testNats, waitFor, type TestIssuer } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'

import { backUp, restore } from '../support/backup-scripts.ts'
import { cluster, find, readyPods, untilReplaced } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { ingestTokenOf } from '../support/ingest.ts'
import { InstallUser } from '../support/install-user.ts'
import { openPostgresPods, type PostgresPods } from '../support/postgres-pods.ts'
import { startWholeInstall } from '../support/whole-install.ts'

// An install is backed up while it changes, and restored into empty databases and an empty NATS.

const EXAMPLE = resolve(import.meta.dirname, '../../examples/support-agent')
const CREDENTIALS = { SUPPORT_API_TOKEN: 'token-of-the-backup-tests-0123456789' }
const SPANS_BEFORE = 20

const shared = new AsyncDisposableStack()
let issuer: TestIssuer
let postgres: PostgresPods
let spec: string

beforeAll(async () => {
  issuer = shared.use(await testIssuer())
  const built = await buildAndPushAgent(EXAMPLE, {
    registry: fromStack('SLIPWAY_REGISTRY'),
    from: 'project',
  })
  spec = built.spec
  postgres = shared.use(await openPostgresPods())
})
afterAll(async () => await shared.disposeAsync())

type TraceStore = Readonly<Record<string, string>>

const stores: readonly (readonly [
  name: string,
  open: (folder: string, closing: AsyncDisposableStack) => Promise<TraceStore>,
])[] = [
  ['engine', async (folder) => ({ CLICKHOUSE_DATA_DIR: join(folder, 'traces') })],
  [
    'server',
    async (_, closing) => {
      const server = closing.use(await prepareClickHouse())
      await server.start()
      return { CLICKHOUSE_URL: server.url }
    },
  ],
]

describe.each(stores)('with the ClickHouse %s', (store, openTraceStore) => {
  const closing = new AsyncDisposableStack()
  const namespaces = new Map<string, string>()
  let folder: string
  let before: Readonly<Record<string, unknown>>
  let podsBefore: readonly string[]
  let tokenBefore: string
  let alice: InstallUser
  let settings: Parameters<typeof restore>[0]
  let lostTrace: string

  /** Starts an install in empty databases, after `prepare`. */
  async function open(
    name: string,
    prepare?: (parts: Parameters<typeof restore>[0]) => Promise<void>,
  ) {
    await using starting = new AsyncDisposableStack()
    const own = join(folder, name)
    await mkdir(own)
    const server = `${store}-${name}`
    const databases = await postgres.start(server)
    const programs = join(own, 'programs')
    await postgres.writePrograms(programs, server)
    const traceStore = await openTraceStore(own, starting)
    const settings = { backup: join(folder, 'backup'), programs, databases, traceStore }
    await prepare?.(settings)
    const { url: natsUrl } = starting.use(await testNats())
    const install = starting.use(
      await startWholeInstall({ issuer, databases, natsUrl, traceStore, folder: own }),
    )
    const user = await InstallUser.open(install, await issuer.userToken('alice'))
    return { settings, user, running: starting.move() }
  }

  const publish = async (user: InstallUser, account: string, name: string, version = '1.0.0') => {
    const document = parseDocument(spec)
    document.set('name', name)
    const registry = `http://${fromStack('SLIPWAY_REGISTRY')}`
    await user.publish({ account, name, version, registry, spec: document.toString() })
  }

  const deploy = async (user: InstallUser, name: string, more: object = {}) => {
    const answer = await user.deploy(name, { user_credentials: CREDENTIALS, ...more })
    expect([answer.status, answer.body.rollout?.state]).toEqual([200, 'ready'])
    namespaces.set(name, answer.body.k8s_namespace)
    return answer.body.k8s_namespace as string
  }

  const namesOfPods = async (name: string) =>
    (await readyPods(namespaces.get(name) ?? '')).map(({ metadata }) => metadata.name).toSorted()

  const namespacePath = (name: string) => `/api/v1/namespaces/${namespaces.get(name)}`

  const untilNamespaceIsGone = async (name: string) =>
    await waitFor(async () => (await find(namespacePath(name))) === undefined, {
      what: `the namespace of ${name} to be gone`,
    })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-backup-'))
    closing.defer(() => rm(folder, { recursive: true, force: true }))
    closing.defer(async () => {
      for (const name of namespaces.values()) {
        const path = `/api/v1/namespaces/${name}`
        if (await find(path)) await cluster.call('DELETE', path)
      }
    })
    const former = await open('former')
    await using running = former.running
    const user = former.user
    await user.ok('POST', '/accounts', { name: `team-${store}` })
    for (const name of ['kept', 'indexed', 'late', 'removed'])
      await publish(user, user.account, name)
    await publish(user, `team-${store}`, 'imported')
    await deploy(user, 'kept')
    await publish(user, user.account, 'kept', '1.1.0')
    const namespace = await deploy(user, 'kept')
    await deploy(user, 'removed')
    const busy = await deploy(user, 'imported', { source_account: `team-${store}` })
    tokenBefore = await ingestTokenOf(namespace)
    for (let count = 0; count < SPANS_BEFORE; count += 1) await user.sendSpan(tokenBefore)
    await untilReplaced(namespace, 'agent')
    before = await user.readAll('kept')
    podsBefore = await namesOfPods('kept')

    const busyToken = await ingestTokenOf(busy)
    let isOver = false
    const sending = (async () => {
      while (!isOver) await user.sendSpan(busyToken)
    })()
    try {
      await backUp(former.settings, async (database) => {
        if (database === 'observability') {
          lostTrace = await user.sendSpan(tokenBefore)
        } else if (database === 'deployer') {
          await deploy(user, 'indexed')
        } else {
          await user.ok('PUT', `/accounts/team-${store}`, { name: `renamed-${store}` })
          await publish(user, `renamed-${store}`, 'newest')
          await deploy(user, 'late')
          await user.undeploy('removed')
        }
      })
    } finally {
      isOver = true
      await sending
    }
    await running.disposeAsync()

    const restored = await open('restored', restore)
    closing.use(restored.running)
    alice = restored.user
    settings = restored.settings
  })
  afterAll(async () => await closing.disposeAsync())

  test('returns the same answers as before', async () => {
    await expect.poll(async () => await alice.readAll('kept')).toEqual(before)
    expect(await namesOfPods('kept')).toEqual(podsBefore)
  })

  test('is not restored a second time into what has data', async () => {
    await expect(restore(settings)).rejects.toThrow(/is not empty|already exists/)
    await expect.poll(async () => await alice.readAll('kept')).toEqual(before)
  })

  test('goes on: tokens of agents, stored credentials and revisions are valid', async () => {
    const traceId = await alice.sendSpan(tokenBefore)
    const trace = `/agents/${alice.account}/kept/observability/traces/${traceId}`
    await expect.poll(async () => (await alice.send('GET', trace)).status).toBe(200)

    const again = await alice.deploy('kept')
    expect([again.status, again.body.revision]).toEqual([200, 2])
    expect(await namesOfPods('kept')).toEqual(podsBefore)
    const rollback = `/agents/${alice.account}/kept/deployment/rollback`
    const { body } = await alice.send('POST', `${rollback}?wait=120`, {})
    expect(body).toMatchObject({ revision: 3, rolled_back_to: 1, rollout: { state: 'ready' } })
  })

  test('repairs what changed between the parts of the backup', async () => {
    // Observability learns of a deployment that its database doesn't have.
    const traceId = await alice.sendSpan(await ingestTokenOf(namespaces.get('indexed') ?? ''))
    const path = `/agents/${alice.account}/indexed/observability/traces/${traceId}`
    await expect.poll(async () => (await alice.send('GET', path)).status).toBe(200)
    // The deployer learns of a name that its database doesn't have.
    await expect
      .poll(async () => (await alice.deployment('imported')).body.source_account)
      .toBe(`renamed-${store}`)
    expect((await alice.send('GET', `/agents/renamed-${store}/newest`)).status).toBe(200)
  })

  test('lacks the traces that were sent after the backup of traces', async () => {
    const path = `/agents/${alice.account}/kept/observability/traces/${lostTrace}`
    expect((await alice.send('GET', path)).status).toBe(404)
  })

  test('shows that the objects of a deployment are gone; a deploy makes them again', async () => {
    await expect
      .poll(async () => (await alice.deployment('removed')).body)
      .toMatchObject({ state: 'degraded', reason: 'the Deployment is missing' })
    await untilNamespaceIsGone('removed')
    const without = await alice.deploy('removed')
    expect([without.status, without.body.code]).toEqual([400, 'credentials_lost'])
    await deploy(alice, 'removed')
  })

  test('leaves alone what was deployed later until its namespace is deleted', async () => {
    expect((await alice.deployment('late')).status).toBe(404)
    expect(await namesOfPods('late')).toHaveLength(1)
    const answer = await alice.deploy('late', { user_credentials: CREDENTIALS })
    expect([answer.status, answer.body.code]).toEqual([409, 'namespace_taken'])
    await cluster.call('DELETE', namespacePath('late'))
    await untilNamespaceIsGone('late')
    await deploy(alice, 'late')
  })

  test('needs the credentials again when the cluster is lost, too', async () => {
    await cluster.call('DELETE', namespacePath('kept'))
    await untilNamespaceIsGone('kept')
    const without = await alice.deploy('kept')
    expect([without.status, without.body.code]).toEqual([400, 'credentials_lost'])
    await deploy(alice, 'kept')
    const traceId = await alice.sendSpan(await ingestTokenOf(namespaces.get('kept') ?? ''))
    const trace = `/agents/${alice.account}/kept/observability/traces/${traceId}`
    await expect.poll(async () => (await alice.send('GET', trace)).status).toBe(200)
    expect((await alice.send('GET', trace)).body.trace_id).toBe(traceId)
  })
})
