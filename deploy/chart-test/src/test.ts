import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { judge, rpcTargets, targetsOfAgents } from './policies.ts'
import { reachedOf, type Target } from './reach.ts'
import { setting } from './setting.ts'

// The program of `helm test`. It checks that all services are ready, and that the chart's
// NetworkPolicies are enforced. With a user's token it also validates a deploy, deploys an agent,
// and checks that the span that the agent sends is listed, and what the agent reaches.

const GIVE_UP_AFTER_MS = 180_000

await step('all services are ready', async () => {
  for (const url of setting('READY_URLS').split(','))
    await until(`${url} answers 200`, async () => (await fetch(url)).ok || undefined)
})
if (setting('POLICIES_ENABLED') === 'true')
  judge('the pod of this test', await reachedOf(await rpcTargets()))
const tokenFile = process.env['TOKEN_FILE'] ?? ''
// A file that is missing is an error: the Secret lacks the key `test.tokenKey`.
if (tokenFile !== '') await deployAndTrace(readFileSync(tokenFile, 'utf8').trim())
else
  console.log(
    'skipped: the deploy, the span and what an agent reaches need a user’s token. Name a Secret ' +
      'with an access token in test.tokenSecret.',
  )

async function deployAndTrace(token: string): Promise<void> {
  const name = `chart-test-${randomBytes(4).toString('hex')}`
  const call = (method: string, path: string, body?: object) =>
    callGateway({ method, path, body, token })

  const account = await step('the token is accepted', async () => {
    const { accounts } = (await call('GET', '/me')) as {
      accounts: { name: string; role: string }[]
    }
    const mayRegister = accounts.find(({ role }) => role === 'owner' || role === 'admin')
    if (mayRegister === undefined) throw new Error('the user is owner or admin of no account')
    return mayRegister.name
  })
  const image = setting('AGENT_IMAGE')
  const targets = await targetsOfAgents()
  await step('a build is registered', () =>
    call('POST', `/agents/${account}/${name}/register`, {
      build_id: 'b1',
      registry: 'registry.example.com',
      spec_content: JSON.stringify({
        spec: 'astro/v1',
        name,
        agent: { image, port: 8080, environment: { TARGETS: JSON.stringify(targets) } },
      }),
    }),
  )
  try {
    await step('a deploy is validated', () => call('POST', '/deploy/validate', { account, name }))
    try {
      await step('the agent is deployed', () => call('POST', '/deploy', { account, name }))
      const output = await step('its span is listed', () =>
        until('a trace is listed', async () => {
          const path = `/agents/${account}/${name}/observability/traces`
          const { traces } = (await call('GET', path)) as { traces: { output?: string }[] }
          return traces[0]?.output
        }),
      )
      judge('the agent', (JSON.parse(output) as { reached: Target[] }).reached)
    } finally {
      await step('the agent is undeployed', () => call('POST', '/undeploy', { account, name }))
    }
  } finally {
    await step('the agent is deleted', () => call('DELETE', `/agents/${account}/${name}`))
  }
}

async function callGateway(request: {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
  readonly token: string
}): Promise<unknown> {
  const { method, path, body, token } = request
  const response = await fetch(`${setting('GATEWAY_URL')}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok || response.status === 207)
    throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Repeats a check until it has a result. */
async function until<Result>(
  what: string,
  check: () => Promise<Result | undefined>,
): Promise<Result> {
  const start = performance.now()
  let cause: unknown
  while (performance.now() - start < GIVE_UP_AFTER_MS) {
    try {
      const result = await check()
      if (result !== undefined) return result
      cause = undefined
    } catch (error) {
      cause = error
    }
    await sleep(500)
  }
  throw new Error(`gave up after ${GIVE_UP_AFTER_MS / 1000} s waiting until ${what}`, { cause })
}

/** Runs a step and prints whether it worked. */
async function step<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  try {
    const result = await run()
    console.log(`ok: ${what}`)
    return result
  } catch (error) {
    console.error(`failed: ${what}`)
    throw error
  }
}
