import { resolve } from 'node:path'

import { buildAndPushAgent } from '@slipway/agent-image'
import { pushImage } from '@slipway/agent-image/parts'
import { buildStoreImages } from '@slipway/images'

import { personalAccount, request } from './api.ts'
import { fromStack } from './environment.ts'

const DIRECTORY = resolve(import.meta.dirname, '../../examples/notes-agent')

/** The notes agent, registered by alice. */
export interface NotesAgent {
  /** The build that was registered. */
  readonly buildId: string
  readonly account: string
  readonly name: string
  readonly spec: string
  register(buildId: string, spec: string): Promise<void>
}

/** Pushes the images of the agent and its stores, with cached layers, and registers the agent. */
export async function registerNotesAgent(name: string): Promise<NotesAgent> {
  const registry = fromStack('SLIPWAY_REGISTRY')
  for (const { repository, tag, image } of await buildStoreImages())
    await pushImage(registry, repository, tag, image)
  const { spec: built } = await buildAndPushAgent(DIRECTORY, { registry, from: 'project' })
  const spec = built.replace(/^name: .*$/m, `name: ${name}`)
  const account = await personalAccount('alice')
  const register = async (buildId: string, content: string) => {
    const body = { build_id: buildId, registry: `http://${registry}`, spec_content: content }
    const answer = await request('POST', `/agents/${account}/${name}/register`, {
      as: 'alice',
      body,
    })
    if (answer.status !== 201) throw new Error(`register returned ${answer.status}: ${answer.text}`)
  }
  // Unique, so that it becomes the latest build on a stack that was used before, too.
  const buildId = `first-${Date.now()}`
  await register(buildId, spec)
  return { account, name, buildId, spec, register }
}
