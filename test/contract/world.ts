import { randomBytes } from 'node:crypto'

import { login } from '@slipway/local/device-login'

import { request, type Answer, type RequestOptions, type User } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'

/** Who can stand before the account of a contract test. */
export const CALLERS = ['owner', 'admin', 'member', 'stranger', 'anonymous', 'expired'] as const
export type Caller = (typeof CALLERS)[number]

const USERS = { owner: 'alice', admin: 'bob', member: 'carol', stranger: 'mallory' } as const

/** A team account with all roles, an agent with a published and a later unpublished build, and one unpublished agent. */
export interface World {
  readonly account: string
  readonly published: string
  readonly hidden: string
  /** User ids by caller. */
  readonly ids: Readonly<Record<keyof typeof USERS, string>>
}

/** Text that stands in unpublished builds only. */
export const SECRET_WORD = 'undisclosedword'

/** Makes a world of its own for a test file. */
export async function makeWorld(): Promise<World> {
  const suffix = randomBytes(4).toString('hex')
  const account = `contract-${suffix}`
  const ids = {} as Record<keyof typeof USERS, string>
  for (const caller of Object.keys(USERS) as (keyof typeof USERS)[]) {
    ids[caller] = (await ask('GET', '/me', caller)).body.user.id
  }
  await done(ask('POST', '/accounts', 'owner', { body: { name: account } }))
  for (const role of ['admin', 'member'] as const) {
    await done(ask('PUT', `/accounts/${account}/members/${ids[role]}`, 'owner', { body: { role } }))
  }
  const world = { account, published: `shown-${suffix}`, hidden: `hidden-${suffix}`, ids }
  await register(world, world.published, 'b1', 'for everybody to see')
  await publish(world, world.published, 'b1', '1.0.0')
  await register(world, world.published, 'b2', SECRET_WORD)
  await register(world, world.hidden, 'h1', SECRET_WORD)
  return world
}

/** The body of a registration. */
export function buildBody(name: string, buildId: string, description = 'An agent', readme = `# ${description}`) {
  const spec = `spec: astro/v1\nname: ${name}\nmeta:\n  description: ${description}\n  tags: [contract]\nagent:\n  image: registry.example/${name}:1\n`
  return { build_id: buildId, registry: 'oci://registry.example/contract', spec_content: spec, readme }
}

/** Registers a build as the account's owner. */
export async function register(world: World, name: string, buildId: string, description?: string): Promise<void> {
  const body = buildBody(name, buildId, description)
  await done(ask('POST', `/agents/${world.account}/${name}/register`, 'owner', { body }))
}

/** Publishes a build as the account's owner. */
export async function publish(world: World, name: string, buildId: string, version: string): Promise<void> {
  const body = { build_id: buildId, version }
  await done(ask('POST', `/agents/${world.account}/${name}/publish`, 'owner', { body }))
}

let expired: Promise<string> | undefined

/** A real token that was good two seconds after it was made, and no longer. */
export async function expiredToken(): Promise<string> {
  expired ??= login(fromStack('SLIPWAY_ISSUER'), USERS.owner, { clientId: 'slipway-short-lived' })
  return await expired
}

/** Sends a request as a caller. */
export async function ask(
  method: string,
  path: string,
  caller: Caller,
  options: Omit<RequestOptions, 'as'> = {},
): Promise<Answer> {
  if (caller === 'anonymous') return await request(method, path, options)
  if (caller === 'expired') {
    const headers = { ...options.headers, authorization: `Bearer ${await expiredToken()}` }
    return await request(method, path, { ...options, headers })
  }
  return await request(method, path, { ...options, as: USERS[caller] satisfies User })
}

async function done(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
}
