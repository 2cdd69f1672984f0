import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger } from '@slipway/shared/logger'
import { startTelemetry } from '@slipway/shared/telemetry'
import { expect, onTestFinished, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { BASIC, DIGEST, LOGIN, found, serve } from './support/asked-registry.ts'
import { startTestDeployer } from './support/deployer.ts'

/** A registry whose tokens come from another host, and the file with its login. */
async function guardedRegistry() {
  const tokens = await serve((_request, response) => response.end('{"token":"abc"}'))
  const { host } = await serve((request, response) => {
    if (request.headers.authorization === 'Bearer abc') return found(request, response)
    const challenge = `Bearer realm="http://${tokens.host}/token"`
    response.writeHead(401, { 'www-authenticate': challenge }).end()
  })
  const directory = await mkdtemp(join(tmpdir(), 'slipway-realms-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const pullSecret = join(directory, 'pull.json')
  const auth = Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')
  await writeFile(pullSecret, JSON.stringify({ auths: { [host]: { auth } } }))
  const settings = { INTERNAL_REGISTRIES: `${host},${tokens.host}`, PULL_SECRET_FILE: pullSecret }
  return { host, tokens, settings }
}

test('a login goes to an unlisted realm with a warning until the operator decides', async () => {
  await using _telemetry = await startTelemetry('deployer', {})
  const { host, tokens, settings } = await guardedRegistry()
  const lines: string[] = []
  const logger = createLogger('deployer', 'warn', { write: (line) => void lines.push(line) })
  await using deployer = await startTestDeployer(settings, { logger })
  const owner = await deployer.signIn('owner')
  const deployThrough = async (name: string, env: Readonly<Record<string, string>>) => {
    const replica = await deployer.startReplica({}, env)
    const agent = agentOf({ ...deployer, ...deployer.clientsOf(replica) }, owner, name)
    await agent.register('b1', `spec: astro/v1\nname: ${name}\nagent: {image: "${host}/x:1"}\n`)
    const { images } = await agent.deploy({})
    return { image: images['agent'], opsAddress: replica.opsAddress }
  }

  const undecided = await deployThrough('undecided', {})
  expect(undecided.image).toBe(`${host}/x:1@${DIGEST}`)
  expect(tokens.requests.map(({ authorization }) => authorization)).toEqual([BASIC])
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      event: 'realm_not_listed',
      remedy: `add ${host}=http://${tokens.host} to REGISTRY_REALMS if it is right`,
    }),
  )
  const metrics = await fetch(`http://${undecided.opsAddress}/metrics`)
  expect(await metrics.text()).toMatch(/^slipway_registry_unlisted_realms_total\S* 1$/m)

  const decided = await deployThrough('decided', { REGISTRY_REALMS: 'none' })
  expect(decided.image).toBe(`${host}/x:1`)
  expect(tokens.requests).toHaveLength(1)
})
