import { resolve } from 'node:path'

import { buildAndPushAgent } from '@slipway/agent-image'
import { parseDocument } from 'yaml'

import { personalAccount, request, type User } from './api.ts'
import { fromStack } from './environment.ts'

const DIRECTORY = resolve(import.meta.dirname, '../../examples/support-agent')

/** The credential that the example agent needs. */
export const API_TOKEN = 'token-of-the-e2e-tests-0123456789'

/** A registered agent. Each test file uses another name, so that they don't interfere. */
export interface RegisteredAgent {
  readonly account: string
  readonly name: string
  readonly buildId: string
  readonly spec: string
}

let built: ReturnType<typeof buildAndPushAgent> | undefined

/** Builds the example agent, pushes it, with cached layers, and registers it under `name`. */
export async function registerSupportAgent(
  name: string,
  owner: User = 'alice',
): Promise<RegisteredAgent> {
  built ??= buildAndPushAgent(DIRECTORY, {
    registry: fromStack('SLIPWAY_REGISTRY'),
    from: 'project',
  })
  const { buildId, spec: builtSpec } = await built
  const document = parseDocument(builtSpec)
  document.set('name', name)
  const spec = document.toString()
  const account = await personalAccount(owner)
  const answer = await request('POST', `/agents/${account}/${name}/register`, {
    as: owner,
    body: {
      build_id: buildId,
      registry: `http://${fromStack('SLIPWAY_REGISTRY')}`,
      spec_content: spec,
      readme: '# Support agent',
    },
  })
  if (answer.status !== 201) throw new Error(`register returned ${answer.status}: ${answer.text}`)
  return { account, name, buildId, spec }
}

/** Removes the agent's deployment, if it has one. */
export async function undeploy(
  { account, name }: RegisteredAgent,
  owner: User = 'alice',
): Promise<void> {
  const { status, text } = await request('POST', '/undeploy', {
    as: owner,
    body: { account, name },
  })
  if (status !== 200 && status !== 404) throw new Error(`undeploy returned ${status}: ${text}`)
}
