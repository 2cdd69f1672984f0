import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { askHost } from '../../support/ingress.ts'

// The path of docs/guide/first-agent.md: from an empty folder to an answer and its trace, then to a
// release that fails, and back.

const NAME = 'my-first-agent'
const QUESTION = 'water the plants'
const packages = fromStack('SLIPWAY_TEMPLATE_PACKAGES')

let slipway: CommandLine
let cwd: string
const env = {
  SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'],
  SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY'),
}
beforeAll(async () => {
  slipway = await CommandLine.open('bob')
  cwd = join(slipway.home, NAME)
})
afterAll(async () => {
  await slipway.run(['undeploy', NAME, '--yes'])
  await slipway[Symbol.asyncDispose]()
})

/** Runs a command in the agent's folder. */
async function run(...args: readonly string[]) {
  return await slipway.run(args, { cwd, env })
}

async function ask(host: string) {
  return await askHost(host, { method: 'POST', body: QUESTION })
}

test('goes from an empty folder to a trace, and back from a bad release', async () => {
  expect(await slipway.run(['init', 'node', NAME])).toMatchObject({ code: 0 })
  // In place of `npm install`, since tests have no network.
  await symlink(join(packages, 'node_modules'), join(cwd, 'node_modules'))
  expect(await run('push')).toMatchObject({ code: 0 })
  const deployed = await run('deploy', '--yes', '--set', 'agent.expose.enabled=true', '--json')
  expect(deployed).toMatchObject({ code: 0 })
  const { deployment } = JSON.parse(deployed.stdout) as {
    deployment: { service_endpoints: { type: string; url: string }[] }
  }
  const endpoint = deployment.service_endpoints.find(({ type }) => type === 'web')
  const { hostname } = new URL(endpoint?.url ?? '')
  const answer = await waitFor(
    async () => {
      const { status, text } = await ask(hostname)
      return status === 200 && text
    },
    { what: 'an answer' },
  )
  expect(answer).toContain('You said 3 words')
  await expect.poll(async () => (await run('traces')).stdout).toContain(QUESTION)

  const file = join(cwd, 'agent.js')
  const program = await readFile(file, 'utf8')
  await writeFile(file, `throw new Error('this release is broken')\n${program}`)
  expect(await run('push')).toMatchObject({ code: 0 })
  const failed = await run('deploy', '--yes')
  expect(failed.code).toBe(5)
  expect(failed.stderr + failed.stdout).toContain('this release is broken')

  expect(await run('rollback', '--yes')).toMatchObject({ code: 0 })
  expect(await ask(hostname)).toEqual({ status: 200, text: answer })
})
