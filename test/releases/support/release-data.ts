import { waitFor } from '@slipway/testing'

import { list } from '../../support/cluster.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../../support/ingest.ts'
import type { Services } from './services.ts'

/** On no day soon, so that no run starts by itself. */
const NEVER = '0 0 29 2 *'
const ROLLOUT = 'wait=120'

/**
 * Uses every part of the API that stores something: a user's own agents and those of a team, what
 * was published, deployed, rolled back, failed, undeployed and deleted.
 */
export async function writeReleaseData(services: Services): Promise<void> {
  const image = await pauseImage()
  const ok = async (as: string, method: string, path: string, content?: unknown) => {
    const { status, body } = await services.send(as, method, path, content)
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
  const deploy = async (as: string, name: string, more: object = {}) => {
    const target = { account: as, name, ...more }
    const result = await ok(as, 'POST', `/deploy?${ROLLOUT}`, target)
    return result.k8s_namespace as string
  }

  await ok('alice', 'GET', '/me')
  const { user } = await ok('bob', 'GET', '/me')
  await ok('alice', 'POST', '/accounts', { name: 'acme' })
  for (const as of ['alice', 'bob'])
    await ok(as, 'PUT', `/accounts/acme/members/${user.id}`, { role: 'admin' })
  await ok('alice', 'PUT', '/accounts/acme', { name: 'acme-labs' })

  const helper = plainSpec('helper', image)
  await register('alice/helper', 'b1', helper, '1.0.0')
  await register('alice/helper', 'b2', `${helper}# Second build\n`, '1.1.0')
  await register('alice/helper', 'b3', `${helper}# Third build\n`)
  await register('alice/helper', 'b4', `${helper}# Fourth build\n`)
  await ok('alice', 'POST', '/agents/alice/helper/versions/1.0.0/yank')
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
  await deploy('alice', 'worker', { schedules: { nightly: NEVER } })
  const ingestions = '/agents/alice/worker/deployment/ingestions'
  await ok('alice', 'POST', `${ingestions}/nightly/suspend`)
  const { name: run } = await ok('alice', 'POST', `${ingestions}/docs/runs`)
  await ok('alice', 'POST', `${ingestions}/docs/runs/${run}/cancel`)

  await register('alice/broken', 'b1', plainSpec('broken', 'slipway.local/no-such-image:1'))
  await deploy('alice', 'broken', credentials)
  const stateOf = async (name: string) =>
    (await services.send('alice', 'GET', `/agents/alice/${name}/deployment`)).body.state as string
  await waitFor(async () => (await stateOf('broken')) === 'failed', { what: 'the failure' })

  await register('alice/removed', 'b1', plainSpec('removed', image))
  await deploy('alice', 'removed', credentials)
  await ok('alice', 'POST', '/undeploy', { account: 'alice', name: 'removed' })
  await deploy('bob', 'shared', { source_account: 'acme-labs', ...credentials })

  const token = await ingestTokenOf(namespace)
  await sendSpans(token, [{ traceId: newTraceId(), tokens: '7' }], { url: services.ingestUrl })
  await waitFor(async () => (await stateOf('helper')) === 'ready', { what: 'the agent' })
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
