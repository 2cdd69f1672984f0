import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { buildAgentImage, buildAndPushAgent, registrationOf } from '@slipway/agent-image'
import { checkSpec } from '@slipway/agent-spec'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { CommandLine } from '../support/command-line.ts'
import { fromStack } from '../support/environment.ts'
import { askHost } from '../support/ingress.ts'

// What `slipway init` copies is built, deployed and called, and its traces are read.

const registry = fromStack('SLIPWAY_REGISTRY')
/** The packages from npm and PyPI, since tests have no network. */
const packages = fromStack('SLIPWAY_TEMPLATE_PACKAGES')
const wheels = join(packages, 'wheels')
const INDEX = {
  PIP_NO_INDEX: '1',
  PIP_FIND_LINKS: wheels,
  UV_OFFLINE: '1',
  UV_FIND_LINKS: wheels,
}
const run = promisify(execFile)

let directory: string
let account: string
let model: string
beforeAll(async () => {
  Object.assign(process.env, INDEX)
  directory = await mkdtemp(join(tmpdir(), 'slipway-templates-'))
  account = await personalAccount('alice')
  const folder = join(directory, 'fake-model')
  await mkdir(folder)
  const program = new URL('../support/programs/chat-model.ts', import.meta.url)
  await copyFile(program, join(folder, 'main.ts'))
  const manifest = { name: 'fake-model', type: 'module', bin: { agent: './main.ts' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  model = (await buildAgentImage(folder, { registry })).reference
})
afterAll(async () => {
  for (const name of Object.keys(INDEX)) delete process.env[name]
  await rm(directory, { recursive: true, force: true })
})

/** Starts a new agent from a template. */
async function init(template: string, name: string): Promise<string> {
  await using slipway = await CommandLine.open()
  const { code, stderr } = await slipway.run(['init', template, name], { cwd: directory })
  if (code !== 0) throw new Error(stderr)
  return join(directory, name)
}

describe.each([
  ['node', 'water the plants', 'You said 3 words. The longest is plants.\n', 'answer'],
  ['python', 'water the plants', 'You said 3 words. The longest is plants.\n', 'answer'],
  ['node-llm', 'Who?', 'You asked: Who?\n', 'chat small'],
  ['python-llm', 'Who?', 'You asked: Who?\n', 'chat small'],
])('the template %s', (template, question, answer, span) => {
  const name = `starter-${template}`

  afterAll(async () => {
    await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
  })

  test('answers, and its trace has the answer', async () => {
    const folder = await init(template, name)
    const file = join(folder, 'astroai.yml')
    let spec = await readFile(file, 'utf8')
    expect(checkSpec(spec, { allowsBuilds: true })).toEqual([])
    expect(spec).not.toContain('Dockerfile')
    const usesModel = template.endsWith('-llm')
    if (usesModel) {
      // Next to the agent runs a model with the API that the template expects.
      spec = spec.replace('https://api.openai.com/v1', `http://${name}-tool-model:8080/v1`)
      spec = spec.replace('gpt-4.1-mini', 'small')
      spec += `tools:\n  model: { container: { image: "${model}", port: 8080 } }\n`
      await writeFile(file, spec)
    }
    if (template.startsWith('node')) {
      await symlink(join(packages, 'node_modules'), join(folder, 'node_modules'))
      await run('npm', ['test'], { cwd: folder })
    }

    const built = await buildAndPushAgent(folder, { registry })
    const registered = await request('POST', `/agents/${account}/${name}/register`, {
      as: 'alice',
      body: await registrationOf(folder, built),
    })
    expect([registered.status, registered.body.validation_warnings]).toEqual([201, []])
    const secrets = { OPENAI_API_KEY: 'key', ACCESS_TOKEN: 'open sesame' }
    const deployed = await request('POST', '/deploy?wait=180', {
      as: 'alice',
      body: {
        account,
        name,
        build_id: built.buildId,
        overrides: { 'agent.expose.enabled': true },
        ...(usesModel && { user_credentials: secrets }),
      },
    })
    expect([deployed.status, deployed.body.errors]).toEqual([200, []])

    const path = `/agents/${account}/${name}`
    const deployment = await request('GET', `${path}/deployment`, { as: 'alice' })
    const endpoints = deployment.body.service_endpoints as { type: string; url: string }[]
    const { hostname } = new URL(endpoints.find(({ type }) => type === 'web')?.url ?? '')
    const ask = async (token: string) =>
      await askHost(hostname, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: question,
      })
    await waitFor(async () => (await ask('open sesame')).status === 200, { what: 'an answer' })
    expect(await ask('open sesame')).toEqual({ status: 200, text: answer })
    expect((await ask('guessed')).status).toBe(usesModel ? 401 : 200)

    const shown = await waitFor(
      async () => {
        const list = await request('GET', `${path}/observability/traces?limit=1`, { as: 'alice' })
        return (list.body.traces as Record<string, unknown>[])[0]
      },
      { what: 'the trace' },
    )
    expect(shown).toMatchObject({
      input: question,
      output: answer.trim(),
      ...(usesModel && { input_tokens: 7, output_tokens: 5 }),
    })
    const trace = await request(
      'GET',
      `${path}/observability/traces/${String(shown['trace_id'])}`,
      {
        as: 'alice',
      },
    )
    expect(JSON.stringify(trace.body.spans)).toContain(`"name":"${span}"`)
  })
})
