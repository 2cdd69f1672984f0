import { randomBytes } from 'node:crypto'

import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'

import { request, tokenOf, type Answer, type RequestOptions, type User } from '../../support/api.ts'
import { expiredToken } from '../../support/expired-token.ts'

/** The callers of contract tests, by their relation to the account. */
export const CALLERS = [
  'owner',
  'admin',
  'member',
  'stranger',
  'anonymous',
  'expired',
  'forged',
] as const
export type Caller = (typeof CALLERS)[number]

/** The users behind the callers with a valid token. */
export const USERS = { owner: 'alice', admin: 'bob', member: 'carol', stranger: 'mallory' } as const

/**
 * A team account with all roles. It has an agent with a published and a later unpublished build, an
 * unpublished agent, and one whose only version is yanked.
 */
export interface World {
  readonly account: string
  readonly published: string
  readonly hidden: string
  readonly yanked: string
  /** Another account of the owner, with an unpublished agent of the same name. */
  readonly spare: string
  /** User ids by caller. */
  readonly ids: Readonly<Record<keyof typeof USERS, string>>
  /** Its machine tokens. */
  readonly tokens: {
    /** The name of one that stays. */
    readonly name: string
    /** Ids of others. One test may revoke each of them. */
    readonly revocable: string[]
  }
}

/** A world with the previous name of another account of the owner. */
export interface WorldWithPreviousName extends World {
  readonly held: string
}

/** Text that only unpublished builds have. */
export const SECRET_WORD = 'undisclosedword'

const REVOCABLE = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8']

/** Creates machine tokens of an account; returns their ids. */
async function makeTokens(account: string, names: readonly string[]): Promise<string[]> {
  const path = `/accounts/${account}/tokens`
  const made = await Promise.all(
    names.map((name) => done(ask('POST', path, 'owner', { body: { name } }))),
  )
  return made.map(({ body }) => String(body.id))
}

/** Creates a world for one test file. */
export async function makeWorld(): Promise<World> {
  // Expires while the first tests run.
  expiredToken().catch(() => undefined)
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
  const elsewhere = `elsewhere-${suffix}`
  await done(ask('POST', '/accounts', 'owner', { body: { name: elsewhere } }))
  const spare = `spare-${suffix}`
  await done(ask('POST', '/accounts', 'owner', { body: { name: spare } }))
  await register({ account: spare }, spare, 's1')
  const world = {
    account,
    spare,
    published: `shown-${suffix}`,
    hidden: `hidden-${suffix}`,
    yanked: `yanked-${suffix}`,
    ids,
    tokens: { name: 'ci', revocable: await makeTokens(account, REVOCABLE) },
  }
  await makeTokens(account, [world.tokens.name])
  // Lists of everything get a second page.
  await register({ account: elsewhere }, world.published, 'b1')
  await publish({ account: elsewhere }, world.published, 'b1', '1.0.0')
  await register(world, world.published, 'b1', 'for everybody to see')
  await publish(world, world.published, 'b1', '1.0.0')
  await register(world, world.published, 'b2', SECRET_WORD)
  await register(world, world.hidden, 'h1', SECRET_WORD)
  await register(world, world.yanked, 'y1', 'no longer to be used')
  await publish(world, world.yanked, 'y1', '1.0.0')
  await done(ask('POST', `/agents/${account}/${world.yanked}/versions/1.0.0/yank`, 'owner'))
  return world
}

/**
 * Adds a previous name to a world. Only tests that need one call this: an installation reserves
 * only ten of them for a user.
 */
export async function withPreviousName(world: World): Promise<WorldWithPreviousName> {
  const suffix = randomBytes(4).toString('hex')
  const held = `former-${suffix}`
  await done(ask('POST', '/accounts', 'owner', { body: { name: held } }))
  const body = { name: `present-${suffix}` }
  await done(ask('PUT', `/accounts/${held}`, 'owner', { body }))
  return { ...world, held }
}

/** Makes the member of a world one again, because some cases remove them. */
export async function keepMember({ account, ids }: World): Promise<void> {
  await ask('PUT', `/accounts/${account}/members/${ids.member}`, 'owner', {
    body: { role: 'member' },
  })
}

/** The body of a registration. */
export function buildBody(
  name: string,
  buildId: string,
  description = 'An agent',
  readme = `# ${description}`,
) {
  const tags = description === SECRET_WORD ? `contract, ${SECRET_WORD}` : 'contract'
  const meta = `meta:\n  description: ${description}\n  tags: [${tags}]\n`
  const image = `registry.example/${name}:1`
  const spec = `spec: astro/v1\nname: ${name}\n${meta}agent:\n  image: ${image}\n`
  return {
    build_id: buildId,
    registry: 'oci://registry.example/contract',
    spec_content: spec,
    readme,
  }
}

/** Registers a build as the account's owner. */
export async function register(
  { account }: Pick<World, 'account'>,
  name: string,
  buildId: string,
  description?: string,
): Promise<void> {
  const body = buildBody(name, buildId, description)
  await done(ask('POST', `/agents/${account}/${name}/register`, 'owner', { body }))
}

/** Publishes a build as the account's owner. */
export async function publish(
  { account }: Pick<World, 'account'>,
  name: string,
  buildId: string,
  version: string,
): Promise<void> {
  const body = { build_id: buildId, version }
  await done(ask('POST', `/agents/${account}/${name}/publish`, 'owner', { body }))
}

let forged: Promise<string> | undefined

/** The owner's token, signed by a key that the issuer doesn't know. */
async function forgedToken(): Promise<string> {
  forged ??= tokenOf(USERS.owner).then(async (token) => {
    const header = decodeProtectedHeader(token)
    const { privateKey } = await generateKeyPair(header.alg ?? '')
    return await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ ...header, alg: header.alg ?? '' })
      .sign(privateKey)
  })
  return await forged
}

/** The token that a caller sends, if any. */
export async function callerToken(caller: Caller): Promise<string | undefined> {
  if (caller === 'anonymous') return undefined
  if (caller === 'expired') return await expiredToken()
  return caller === 'forged' ? await forgedToken() : await tokenOf(USERS[caller] satisfies User)
}

/** Sends a request as a caller. */
export async function ask(
  method: string,
  path: string,
  caller: Caller,
  options: Omit<RequestOptions, 'as'> = {},
): Promise<Answer> {
  const token = await callerToken(caller)
  const headers = {
    ...options.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return await request(method, path, { ...options, headers })
}

/** The JSON or text of a GET; throws when it fails. */
export async function read(path: string, caller: Caller) {
  const { status, body, text } = await ask('GET', path, caller)
  if (status !== 200) throw new Error(`GET ${path} as ${caller} returned ${status}: ${text}`)
  return body ?? text
}

async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`the request returned ${status}: ${text}`)
  return await answer
}
