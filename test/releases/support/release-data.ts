import { list } from '../../support/cluster.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../../support/ingest.ts'
import type { Services } from './services.ts'

/** On no day soon, so that no run starts by itself. */
const NEVER = '0 0 29 2 *'
const ROLLOUT = 'wait=120'
/** Fits next to what else runs on the stack. */
const SMALL = { requests: { cpu: '1m', memory: '8Mi' }, limits: { cpu: '100m', memory: '32Mi' } }

/** What is deployed, besides the account and the name. */
interface Target {
  readonly version?: string
  readonly source_account?: string
  readonly user_credentials?: object
  readonly schedules?: object
  readonly overrides?: object
}

/**
 * Uses every part of the API that stores something: a user's own agents and those of a team, what
 * was published, deployed, rolled back, failed, undeployed and deleted.
 */
export async function writeReleaseData(services: Services): Promise<void> {
  const image = await pauseImage()
  const ok = async (as: string, method: string, path: string, content?: unknown, key?: string) => {
    const { status, body } = await services.send(as, method, path, content, key)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const register = async (agent: string, buildId: string, spec: string, version?: string) => {
    const registry = 'oci://registry.example/team'
    const build = { build_id: buildId, registry, spec_content: spec, readme: `# ${agent}\n` }
    await ok('alice', 'POST', `/agents/${agent}/register`, build)
    if (version === undefined) return
    await ok('alice', 'POST', `/agents/${agent}/publish`, { build_id: buildId, version })
  }
  const deploy = async (as: string, name: string, more: Target = {}, expected = 'ready') => {
    const overrides = { 'agent.resources': SMALL, ...more.overrides }
    const target = { account: as, name, ...more, overrides }
    const { k8s_namespace: namespace, rollout } = await ok(as, 'POST', `/deploy?${ROLLOUT}`, target)
    if (rollout.state !== expected)
      throw new Error(`${name} is ${rollout.state}, not ${expected}: ${rollout.reason}`)
    return namespace as string
  }

  await ok('alice', 'GET', '/me')
  const { user } = await ok('bob', 'GET', '/me')
  const { user: former } = await ok('carol', 'GET', '/me')
  await ok('alice', 'POST', '/accounts', { name: 'acme' }, 'create-acme')
  for (const as of ['alice', 'bob'])
    await ok(as, 'PUT', `/accounts/acme/members/${user.id}`, { role: 'admin' })
  await ok('alice', 'PUT', `/accounts/acme/members/${former.id}`, { role: 'member' })
  await ok('alice', 'DELETE', `/accounts/acme/members/${former.id}`)
  await ok('alice', 'PUT', '/accounts/acme', { name: 'acme-labs' })
  await ok('alice', 'POST', '/accounts', { name: 'abandoned' })
  await ok('alice', 'DELETE', '/accounts/abandoned')

  const helper = plainSpec('helper', image)
  await register('alice/helper', 'b1', helper, '1.0.0')
  await register('alice/helper', 'b2', `${helper}# Second build\n`, '1.1.0')
  await register('alice/helper', 'b3', `${helper}# Third build\n`)
  await register('alice/helper', 'b4', `${helper}# Fourth build\n`)
  for (const action of ['yank', 'unyank', 'yank'])
    await ok('alice', 'POST', `/agents/alice/helper/versions/1.0.0/${action}`)
  await ok('alice', 'DELETE', '/agents/alice/helper/builds/b4')
  await register('alice/obsolete', 'b1', plainSpec('obsolete', image))
  await ok('alice', 'DELETE', '/agents/alice/obsolete')
  await register('acme-labs/handbook', 'b1', richSpec(image))
  await register('acme-labs/shared', 'b1', plainSpec('shared', image), '2.0.0')

  const credentials = { user_credentials: { HELPER_TOKEN: 'not-in-any-database' } }
  const namespace = await deploy('alice', 'helper', { version: '1.1.0', ...credentials })
  await deploy('alice', 'helper', { overrides: { 'agent.replicas': 2 } })
  await ok('alice', 'POST', `/agents/alice/helper/deployment/rollback?${ROLLOUT}`, { revision: 1 })
  await ok('alice', 'POST', '/agents/alice/helper/deployment/rotate-ingest-token')

  await register('alice/worker', 'b1', workerSpec(image))
  await deploy('alice', 'worker', {
    schedules: { nightly: NEVER },
    overrides: { 'ingestion.docs.resources': SMALL, 'ingestion.nightly.resources': SMALL },
  })
  const ingestions = '/agents/alice/worker/deployment/ingestions'
  await ok('alice', 'POST', `${ingestions}/nightly/suspend`)
  const { name: run } = await ok('alice', 'POST', `${ingestions}/docs/runs`)
  await ok('alice', 'POST', `${ingestions}/docs/runs/${run}/cancel`)

  await register('alice/broken', 'b1', plainSpec('broken', 'slipway.local/no-such-image:1'))
  await deploy('alice', 'broken', credentials, 'failed')

  await register('alice/removed', 'b1', plainSpec('removed', image))
  await deploy('alice', 'removed', credentials)
  await ok('alice', 'POST', '/undeploy', { account: 'alice', name: 'removed' }, 'undeploy-removed')
  await deploy('bob', 'shared', { source_account: 'acme-labs', ...credentials })

  const { next_cursor: cursor } = await ok('alice', 'GET', '/agents?limit=1')
  await ok('alice', 'GET', `/agents?limit=1&cursor=${cursor}`)
  await ok('alice', 'GET', '/agents/alice/helper/deployment/revisions?limit=1')
  await ok('alice', 'GET', '/accounts/alice/usage')
  await ok('alice', 'POST', '/deploy/validate', { account: 'alice', name: 'helper' })

  const token = await ingestTokenOf(namespace)
  await sendSpans(token, [{ traceId: newTraceId(), tokens: '7' }], { url: services.ingestUrl })
}

/** The image of the pause container, which the registry of every stack has. */
async function pauseImage(): Promise<string> {
  type Node = { metadata: { name: string }; status: { images?: { names?: string[] }[] } }
  const names = (await list<Node>('/api/v1/nodes'))
    .flatMap(({ status }) => status.images ?? [])
    .flatMap(({ names: all }) => all ?? [])
  const found = names.find((name) => /\/pause:[^@]+$/.test(name))
  if (found === undefined) throw new Error('the cluster has no node with a pause image')
  return found
}

function plainSpec(name: string, image: string): string {
  return `spec: astro/v1
name: ${name}
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "${image}"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
`
}

function workerSpec(image: string): string {
  return `spec: astro/v1
name: worker
agent: {image: "${image}"}
ingestion:
  docs: {container: {image: "${image}"}, trigger: {type: manual}}
  nightly: {container: {image: "${image}"}, trigger: {type: schedule}}
`
}

/** Every kind of component, and two warnings. */
function richSpec(image: string): string {
  return `${plainSpec('handbook', image)}unknown: field
models:
  main: {provider: openai}
knowledge:
  cache: {provider: redis, persistent: true}
  db: {provider: postgres, persistent: true}
tools:
  calculator:
    container:
      image: registry.example/calculator:1
      port: 9000
      environment: {CACHE: "\${knowledge.cache.url}", OTHER: "\${knowledge.none.url}"}
ingestion:
  hook: {container: {image: registry.example/hook:1, port: 8090}, trigger: {type: webhook}}
`
}
