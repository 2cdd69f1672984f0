import { resolve } from 'node:path'

import { buildAndPushAgent } from '@slipway/agent-image'

import { fromStack } from '../../support/environment.ts'
import { ingestTokenOf } from '../../support/ingest.ts'
import type { Client } from './client.ts'
import type { NeighboursSystem } from './system.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../../examples/support-agent')
/** The name of every agent that is deployed. */
export const AGENT = 'helper'

/** A deployed agent of an account. */
export interface Deployed {
  readonly account: string
  readonly ingestToken: string
}

/** A user with a separate client. */
export interface Person {
  readonly client: Client
  readonly token: string
  readonly account: string
}

/** Signs a user in. */
export async function signIn(
  system: NeighboursSystem,
  client: Client,
  user: string,
): Promise<Person> {
  const token = await system.tokenOf(user)
  const { text } = await client.send('GET', `${system.gatewayUrl}/me`, { token })
  const { accounts } = JSON.parse(text) as { accounts: { name: string }[] }
  return { client, token, account: accounts[0]?.name ?? '' }
}

/** Deploys the example agent in one of the user's accounts. */
export async function deploy(
  { gatewayUrl }: NeighboursSystem,
  { client, token }: Person,
  account: string,
): Promise<Deployed> {
  const { buildId, spec } = await buildAndPushAgent(EXAMPLE, {
    registry: fromStack('SLIPWAY_REGISTRY'),
    from: 'project',
  })
  const registry = `http://${fromStack('SLIPWAY_REGISTRY')}`
  const build = {
    build_id: buildId,
    registry,
    spec_content: spec.replace(/^name: .*$/m, `name: ${AGENT}`),
  }
  await expectOk(
    client.send('POST', `${gatewayUrl}/agents/${account}/${AGENT}/register`, {
      token,
      body: build,
    }),
  )
  const target = { account, name: AGENT, user_credentials: { SUPPORT_API_TOKEN: 'x' } }
  const text = await expectOk(client.send('POST', `${gatewayUrl}/deploy`, { token, body: target }))
  const { k8s_namespace: namespace } = JSON.parse(text) as { k8s_namespace: string }
  return { account, ingestToken: await ingestTokenOf(namespace) }
}

/** Removes a deployment. */
export async function undeploy(
  { gatewayUrl }: NeighboursSystem,
  { client, token }: Person,
  account: string,
  name = AGENT,
): Promise<void> {
  await client.send('POST', `${gatewayUrl}/undeploy`, { token, body: { account, name } })
}

/** Returns the text of a successful response. */
export async function expectOk(answer: Promise<{ status: number; text: string }>): Promise<string> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`the status was ${status}: ${text}`)
  return text
}
