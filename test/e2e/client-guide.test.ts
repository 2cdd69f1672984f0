import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { request, tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'

// The program of docs/guide/client.md, as it is on the page.

const CHECKOUT = resolve(import.meta.dirname, '../..')
const NAME = 'guided'
const STRICT = '--exactOptionalPropertyTypes'
const TOKEN = 'token-of-a-service'

let folder: string
let agent: FaultyAgent
beforeAll(async () => {
  const guide = await readFile(join(CHECKOUT, 'docs/guide/client.md'), 'utf8')
  const [, program = ''] = /```ts\n(import [\s\S]*?)```/.exec(guide) ?? []
  folder = await mkdtemp(join(tmpdir(), 'slipway-client-guide-'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'deploy.ts'), program)
  await symlink(join(CHECKOUT, 'test/node_modules'), join(folder, 'node_modules'))
  agent = await registerFaultyAgent(NAME)
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function deploy(name: string) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    SLIPWAY_URL: fromStack('SLIPWAY_URL'),
    SLIPWAY_TOKEN: await tokenOf('alice'),
  }
  const args = [join(folder, 'deploy.ts'), agent.account, name]
  const running = promisify(execFile)(process.execPath, args, { env })
  return await running.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

test('has the types of the API', async () => {
  const tsc = join(CHECKOUT, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const types = ['--types', 'node', '--typeRoots', join(CHECKOUT, 'node_modules/@types')]
  const checked = [...options, ...types, '--allowImportingTsExtensions', '--skipLibCheck', STRICT]
  const args = [tsc, ...checked, join(folder, 'deploy.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  expect(stdout).toBe('')
})

test('deploys an agent, says why it does not run, and what is wrong with a request', async () => {
  const missing = await deploy(NAME)
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toMatch(/user_credentials\.SERVICE_TOKEN/)

  const body = { account: agent.account, name: NAME, user_credentials: { SERVICE_TOKEN: TOKEN } }
  expect((await request('POST', '/deploy', { as: 'alice', body })).status).toBe(200)
  expect(await deploy(NAME)).toEqual({ code: 0, stdout: 'revision 1 is ready\n', stderr: '' })

  const crash = { ...body, user_credentials: { SERVICE_TOKEN: TOKEN, FAULT: 'credential' } }
  await request('POST', '/deploy', { as: 'alice', body: crash })
  const failed = await deploy(NAME)
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stdout).toMatch(/^revision 2 is failed\nagent: .*exited with code 3/)
})
