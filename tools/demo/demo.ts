import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { buildAndPushAgent, PACKAGES_BASE } from '@slipway/agent-image'
import { login } from '@slipway/identity-provider/device-login'
import { say } from '@slipway/local/progress'
import { connectPlatform, UnexpectedAnswer, type Platform } from './platform.ts'
import { numberedSteps } from './steps.ts'
import { versionFor, type ListedVersion } from './versions.ts'

const AGENT = 'support-agent'
const USER = 'alice'
const QUESTION = 'How do I share a folder with somebody?'

/** The parts of the running stack that the demo uses. */
export interface DemoSurroundings {
  readonly checkout: string
  readonly cacheDir: string
  /** Returns a variable of the stack's env file. */
  readonly env: (name: string) => string
  /** Runs kubectl as the stack's administrator and returns its standard output. */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>
}

interface Deployed {
  readonly status: string
  readonly revision: number
  readonly k8s_namespace: string
  readonly errors: readonly string[]
  readonly resources: readonly { kind: string; name: string; status: string }[]
  readonly service_endpoints: readonly { name: string; url: string; type: string }[]
}

interface Trace {
  readonly trace_id: string
  readonly status: string
  readonly latency_ms: number
  readonly input: string
  readonly output: string
}

/**
 * Builds, publishes, deploys and calls the example agent through the public API, and prints each
 * step with its time. Throws an UnexpectedAnswer if a step doesn't work.
 */
export async function runDemo(surroundings: DemoSurroundings): Promise<void> {
  const { env, kubectl } = surroundings
  const step = numberedSteps()

  const { buildId, images, spec } = await step(
    'build the example agent and push its image',
    () =>
      buildAndPushAgent(join(surroundings.checkout, 'examples', AGENT), {
        registry: env('SLIPWAY_REGISTRY'),
        from: 'project',
        base: PACKAGES_BASE,
        cacheDirectory: join(surroundings.cacheDir, 'images'),
      }),
    (built) =>
      `build ${built.buildId}: ${built.images.map(({ reference }) => reference).join(', ')}`,
  )
  const token = await step(`log in as ${USER} with the device flow`, () =>
    login(env('SLIPWAY_ISSUER'), USER),
  )
  const platform = connectPlatform(env('SLIPWAY_URL'), token)
  const account = await step(
    'GET /me',
    () => personalAccount(platform),
    (name) => `personal account: ${name}`,
  )
  const agentPath = `/agents/${account}/${AGENT}`

  await step('register the build', async () => {
    const body = {
      build_id: buildId,
      registry: `http://${env('SLIPWAY_REGISTRY')}`,
      spec_content: spec,
      image_digests: Object.fromEntries(images.map(({ reference, digest }) => [reference, digest])),
    }
    const { validation_warnings: warnings } = (
      await platform.call('POST', `${agentPath}/register`, body)
    ).json<{
      validation_warnings: readonly object[]
    }>()
    if (warnings.length > 0)
      throw new UnexpectedAnswer(`the spec has warnings: ${JSON.stringify(warnings)}`)
  })
  const version = await step(
    'publish it',
    async () => {
      const { versions } = (await platform.call('GET', agentPath)).json<{
        versions: ListedVersion[]
      }>()
      const chosen = versionFor(buildId, versions)
      await platform.call('POST', `${agentPath}/publish`, { build_id: buildId, version: chosen })
      return chosen
    },
    (chosen) => `version ${chosen}`,
  )
  await step(
    'list the public catalog',
    async () => {
      const { agents } = (await platform.call('GET', '/agents')).json<{
        agents: { account: string; name: string; versions: ListedVersion[] }[]
      }>()
      const listed = agents.find((agent) => agent.account === account && agent.name === AGENT)
      if (listed === undefined)
        throw new UnexpectedAnswer('the published agent is not in the catalog')
      return agents
    },
    (agents) =>
      agents
        .slice(0, 5)
        .map((agent) => `${agent.account}/${agent.name} ${agent.versions[0]?.version ?? ''}`)
        .join('\n'),
  )

  const target = { account, name: AGENT, build_id: buildId }
  const deploy = {
    ...target,
    user_credentials: { SUPPORT_API_TOKEN: randomBytes(24).toString('base64url') },
  }
  await step(
    'validate a deploy without its credential (400)',
    () =>
      platform.call(
        'POST',
        '/deploy/validate',
        { ...target, user_credentials: { SUPPORT_API_TOKEN: '' } },
        [400],
      ),
    (answer) => answer.json<{ validation_errors: string[] }>().validation_errors.join('\n'),
  )
  await step('validate it with the credential', () =>
    platform.call('POST', '/deploy/validate', deploy),
  )
  const deployed = await step(
    'deploy, and wait until it is ready',
    async () => {
      const answer = await platform.call('POST', '/deploy?wait=180', deploy, [200, 207])
      const result = answer.json<Deployed>()
      if (answer.status !== 200)
        throw new UnexpectedAnswer(`the deploy is partial: ${result.errors.join('; ')}`)
      return result
    },
    ({ k8s_namespace: namespace, resources, revision }) =>
      [
        `namespace ${namespace}, revision ${revision}`,
        ...resources.map(({ kind, name, status }) => `${status.padEnd(9)} ${kind}/${name}`),
      ].join('\n'),
  )

  const { k8s_namespace: namespace } = deployed
  const endpoint = deployed.service_endpoints.find(({ type }) => type === 'http')
  if (endpoint === undefined)
    throw new UnexpectedAnswer('the result of the deploy has no http endpoint')
  // The endpoint's host is a name inside the cluster: <service>.<namespace>.svc…
  const { hostname, port } = new URL(endpoint.url)
  const service = `http:${hostname.split('.', 1)[0]}:${port || '80'}`
  const proxy = `/api/v1/namespaces/${namespace}/services/${service}/proxy/chat`
  const askedAt = new Date()
  await step(
    "ask the agent through the API server's proxy",
    () => kubectl(['create', '--raw', proxy, '-f', '-'], JSON.stringify({ message: QUESTION })),
    (answer) => [`> ${QUESTION}`, (JSON.parse(answer) as { answer: string }).answer].join('\n'),
  )
  await step(
    'read the last lines of its log',
    async () => {
      const selector = `app.kubernetes.io/component=agent`
      const pod = await kubectl([
        'get',
        'pods',
        '-n',
        namespace,
        '-l',
        selector,
        '--field-selector=status.phase=Running',
        '-o',
        'jsonpath={.items[0].metadata.name}',
      ])
      return (
        await platform.call(
          'GET',
          `/deployments/${namespace}/logs?account=${account}&pod=${pod}&tailLines=3`,
        )
      ).text
    },
    (log) => log.trim(),
  )
  await step(
    'see its trace',
    () =>
      waitForTrace(
        platform,
        `${agentPath}/observability/traces?start_time=${askedAt.toISOString()}`,
      ),
    ({ trace_id: id, status, latency_ms: latency, input, output }) =>
      [
        `${id} ${status} ${latency.toFixed(1)} ms`,
        `input:  ${input}`,
        `output: ${output.replaceAll('\n', ' ').slice(0, 100)}`,
      ].join('\n'),
  )

  const url = env('SLIPWAY_URL')
  const next = [
    '',
    `${account}/${AGENT} ${version} is running, and the stack stays up. Next:`,
    '  ./dev kubectl get all -A',
    `  ./dev kubectl logs -n ${namespace} -l app.kubernetes.io/component=agent`,
    `  curl -s ${url}/api/v1/agents`,
    `  curl -s -H "Authorization: Bearer $(./dev token ${USER})" ${url}/api/v1/me`,
    `  open ${url}/docs in a browser`,
    '  ./dev status, ./dev down, ./dev down --purge',
  ]
  for (const line of next) say(line)
}

async function personalAccount(platform: Platform): Promise<string> {
  const { accounts } = (await platform.call('GET', '/me')).json<{
    accounts: { name: string; type: string }[]
  }>()
  const personal = accounts.find(({ type }) => type === 'personal')
  if (personal === undefined) throw new UnexpectedAnswer('there is no personal account')
  return personal.name
}

/** Waits up to 30 seconds for the trace of the question: traces are sent in batches. */
async function waitForTrace(platform: Platform, path: string): Promise<Trace> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { traces } = (await platform.call('GET', path)).json<{ traces: readonly Trace[] }>()
    const asked = traces.find(({ input }) => input.includes(QUESTION))
    if (asked !== undefined) return asked
    if (Date.now() > deadline) throw new UnexpectedAnswer('the trace did not arrive within 30 s')
    await sleep(250)
  }
}
