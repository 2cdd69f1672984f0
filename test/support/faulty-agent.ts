import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'

import { personalAccount, request } from './api.ts'
import { fromStack } from './environment.ts'

const PROGRAMS = new URL('./programs/', import.meta.url)

/** An agent of alice that starts fast, and fails in the way that its input FAULT names. */
export interface FaultyAgent extends AsyncDisposable {
  readonly account: string
  readonly name: string
  /** Registers a build; `change` edits its spec. */
  register(buildId: string, change?: (spec: string) => string): Promise<void>
}

/**
 * Builds the agent and its manual ingestion `load`, and registers its first build. Disposing of it
 * undeploys the agent.
 */
export async function registerFaultyAgent(name: string): Promise<FaultyAgent> {
  const registry = fromStack('SLIPWAY_REGISTRY')
  const directory = await mkdtemp(join(tmpdir(), 'slipway-faulty-agent-'))
  const folder = join(directory, name)
  await mkdir(join(folder, 'src'), { recursive: true })
  for (const program of ['faulty-agent.ts', 'short-job.ts'])
    await copyFile(new URL(program, PROGRAMS), join(folder, 'src', program))
  const bin = { agent: './src/faulty-agent.ts', load: './src/short-job.ts' }
  const manifest = { name, type: 'module', bin, files: ['src'] }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const [agent, load] = [
    await buildAgentImage(folder, { registry }),
    await buildAgentImage(folder, { registry, target: 'load' }),
  ]
  await rm(directory, { recursive: true, force: true })
  const account = await personalAccount('alice')
  const spec = `spec: astro/v1
name: ${name}
agent:
  image: "${agent.reference}"
  port: 8080
  healthcheck: {path: /healthz, interval: 1s}
  inputs:
    fault: {name: FAULT, datatype: string, default: none}
    token: {name: SERVICE_TOKEN, datatype: string, secret: true, description: A token}
ingestion:
  load: {container: {image: "${load.reference}"}, trigger: {type: manual}}
`
  const register = async (buildId: string, change = (text: string) => text) => {
    const { status, text } = await request('POST', `/agents/${account}/${name}/register`, {
      as: 'alice',
      body: { build_id: buildId, registry: `http://${registry}`, spec_content: change(spec) },
    })
    if (status !== 201) throw new Error(`register returned ${status}: ${text}`)
  }
  await register(`first-${Date.now()}`)
  return {
    account,
    name,
    register,
    [Symbol.asyncDispose]: async () => {
      await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
    },
  }
}
