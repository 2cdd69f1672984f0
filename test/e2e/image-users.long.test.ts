import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'

// Pods run as the platform's user regardless of the user that the image sets, as Pod Security
// `restricted` requires.

const USERS = [
  ['root', 'root', '0'],
  ['no user', 'unset', ''],
  ['a user by name', 'named', 'app'],
  ['uid 1000', 'ordinary', '1000'],
  ['another uid', 'other', '65532:65532'],
] as const

let directory: string
let folder: string
let account: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-whoami-'))
  folder = join(directory, 'whoami')
  await mkdir(join(folder, 'src'), { recursive: true })
  await copyFile(
    new URL('../support/programs/whoami.ts', import.meta.url),
    join(folder, 'src/main.ts'),
  )
  const manifest = {
    name: 'whoami',
    type: 'module',
    bin: { agent: './src/main.ts' },
    files: ['src'],
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  account = await personalAccount('alice')
})
afterAll(async () => {
  for (const [, name] of USERS) {
    await request('POST', '/undeploy', { as: 'alice', body: { account, name: `whoami-${name}` } })
  }
  await rm(directory, { recursive: true, force: true })
})

describe('an image for', () => {
  // It listens on port 80, as images for root do.
  test.each(USERS)('%s runs as the platform’s user', async (_what, suffix, user) => {
    const name = `whoami-${suffix}`
    const { reference } = await buildAgentImage(folder, {
      registry: fromStack('SLIPWAY_REGISTRY'),
      user,
    })
    const agent = `{image: "${reference}", port: 80, healthcheck: {path: /}}`
    const spec = `spec: astro/v1\nname: ${name}\nagent: ${agent}\n`
    const build = {
      build_id: `b-${Date.now()}`,
      registry: 'oci://registry.example',
      spec_content: spec,
    }
    await request('POST', `/agents/${account}/${name}/register`, { as: 'alice', body: build })
    const deployed = await request('POST', '/deploy?wait=90', {
      as: 'alice',
      body: { account, name },
    })
    expect([deployed.status, deployed.body.errors]).toEqual([200, []])
    expect(await callService(deployed.body.k8s_namespace, `${name}-agent`, 80, '/')).toEqual({
      uid: 1000,
      gid: 1000,
      home: '/home/slipway',
      writable: { '/tmp': true, '/home/slipway': true, '/app': false, '/etc': false },
    })
  })
})
