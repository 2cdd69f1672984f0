import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAndPushAgent, registrationOf } from '@slipway/agent-image'
import {
  assembleImage,
  fileEntry,
  imageIndex,
  LayerCache,
  nodeRuntime,
  pushImage,
  SHELL_PACKAGES,
} from '@slipway/agent-image/parts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'

// An image for two platforms is deployed: nodes choose theirs by the digest of the index.

const registry = fromStack('SLIPWAY_REGISTRY')
const NAME = 'both-platforms'
const PROGRAM = `
require('node:http')
  .createServer((_, response) => response.end(JSON.stringify({ runs: process.arch })))
  .listen(8080)
`

let directory: string
let account: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-platforms-'))
  account = await personalAccount('alice')
})
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })
  await rm(directory, { recursive: true, force: true })
})

/** Pushes a base that has Node.js for this machine, and something else for the other platform. */
async function pushBase(): Promise<string> {
  const cache = new LayerCache()
  const options = { packages: SHELL_PACKAGES }
  const { layers } = await nodeRuntime(cache, () => {}, options)
  const other = await cache.layer([fileEntry('usr/local/bin/node', '', { executable: true })])
  const config = { entrypoint: ['node'], user: '0', environment: { NODE_VERSION: '24.0.0' } }
  const here = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const images = (['amd64', 'arm64'] as const).map((architecture) =>
    assembleImage(architecture === here ? [...layers] : [other], config, {
      os: 'linux',
      architecture,
    }),
  )
  await pushImage(registry, 'bases/both-platforms', '1', imageIndex(images))
  return `${registry}/bases/both-platforms:1`
}

test('an agent for two platforms is pinned to its index, and answers', async () => {
  const folder = join(directory, NAME)
  await mkdir(folder)
  const build = '{ context: ., dockerfile: Dockerfile }'
  const spec = `spec: astro/v1\nname: ${NAME}\nagent: { build: ${build}, port: 8080 }\n`
  await writeFile(join(folder, 'astroai.yml'), spec)
  await writeFile(join(folder, 'package.json'), '{ "main": "agent.js" }')
  await writeFile(join(folder, 'agent.js'), PROGRAM)
  const platforms = ['linux/amd64', 'linux/arm64'] as const
  const base = await pushBase()
  const built = await buildAndPushAgent(folder, { registry, base, platforms })
  const registered = await request('POST', `/agents/${account}/${NAME}/register`, {
    as: 'alice',
    body: await registrationOf(folder, built),
  })
  expect(registered.status).toBe(201)
  const deployed = await request('POST', '/deploy?wait=90', {
    as: 'alice',
    body: { account, name: NAME, build_id: built.buildId },
  })
  expect([deployed.status, deployed.body.errors]).toEqual([200, []])
  const answer = await callService(deployed.body.k8s_namespace, `${NAME}-agent`, 8080, '/')
  expect(answer).toEqual({ runs: process.arch })

  // The spec can also name the index by its tag alone; the deployer then finds its digest.
  const byTag = await request('POST', `/agents/${account}/${NAME}/register`, {
    as: 'alice',
    body: {
      build_id: `b-${Date.now()}`,
      registry,
      spec_content: built.spec,
    },
  })
  expect(byTag.status).toBe(201)
  const again = await request('POST', '/deploy?wait=90', {
    as: 'alice',
    body: { account, name: NAME },
  })
  expect([again.status, again.body.errors]).toEqual([200, []])
})
