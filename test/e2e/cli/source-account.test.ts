import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, request } from '../../support/api.ts'
import { CommandLine } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../../support/support-agent.ts'

// The name of another account means the same account in all deploys of a context.

const NAME = 'cli-lent'
const ENV = { SLIPWAY_URL: undefined }

let agent: RegisteredAgent
let source: string
let account: string
let slipway: CommandLine
beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  source = agent.account
  const body = { build_id: agent.buildId, version: '1.0.0' }
  const published = await request('POST', `/agents/${source}/${NAME}/publish`, {
    as: 'alice',
    body,
  })
  expect(published.status).toBe(201)
  account = await personalAccount('mallory')
  slipway = await CommandLine.open('mallory')
  await slipway.run(['context', 'add', 'here', fromStack('SLIPWAY_URL')], { env: ENV })
})
afterAll(async () => {
  await undeploy({ ...agent, account }, 'mallory')
  await slipway[Symbol.asyncDispose]()
})

test('refuses another account than at the last deploy, before it gets credentials', async () => {
  const input = JSON.stringify({ SUPPORT_API_TOKEN: API_TOKEN })
  const args = ['deploy', `${source}/${NAME}@1.0.0`, '--secrets-from', '-', '--yes', '--detach']
  const deploy = () => slipway.run(args, { input, env: ENV })
  expect(await deploy()).toMatchObject({ code: 0 })

  const path = join(slipway.home, '.config/slipway/contexts.json')
  const file = await readFile(path, 'utf8')
  const { contexts } = JSON.parse(file) as { contexts: { here: { sources: object } } }
  const me = await request('GET', '/me', { as: 'alice' })
  const { accounts } = me.body as unknown as { accounts: { id: string; name: string }[] }
  const { id = '' } = accounts.find(({ name }) => name === source) ?? {}
  expect(contexts.here.sources).toEqual({ [source]: id })
  expect(await deploy()).toMatchObject({ code: 0 })

  await undeploy({ ...agent, account }, 'mallory')
  await writeFile(path, file.replaceAll(id, 'the-account-of-before'))
  const refused = await deploy()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`${source} is not the account whose agent you deployed before`)
  expect(refused.stderr).toContain(`remove it from "sources" of the context "here" in ${path}`)
  const after = await request('GET', `/agents/${account}/${NAME}/deployment`, { as: 'mallory' })
  expect(after.status).toBe(404)
})
