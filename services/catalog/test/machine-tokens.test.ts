import { fromBinary } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { EventSchema, type Event } from '@slipway/proto/slipway/events/v1/event'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { hashMachineToken, newMachineToken } from '@slipway/shared/machine-tokens'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { failureOf, outcomeOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'
import { bearer, makeTeam, type TeamWithTokens } from './support/machine-tokens.ts'

const DAY_MS = 24 * 3600 * 1000

let catalog: TestCatalog
let account: TeamWithTokens['account']
let owner: TeamWithTokens['owner']
let admin: TeamWithTokens['admin']
let create: TeamWithTokens['create']
let outcome: TeamWithTokens['outcome']
let round = 0

beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})
beforeEach(async () => {
  round += 1
  ;({ account, owner, admin, create, outcome } = await makeTeam(catalog, String(round)))
})

test('is shown once, stored as a hash, and listed without its secret', async () => {
  const { token, secret, options } = await create()
  expect(secret).toMatch(/^slipway_[0-9A-Za-z]{49}$/)
  expect(token).toMatchObject({ name: 'ci', role: Role.MEMBER, createdBy: admin.userId })
  const { createTime, expireTime } = token ?? {}
  expect(createTime && expireTime && timestampDate(expireTime).getTime()).toBe(
    createTime && timestampDate(createTime).getTime() + 90 * DAY_MS,
  )
  const { tokens } = await catalog.tokens.listMachineTokens({ account }, owner.options)
  expect(tokens).toEqual([token])
  const rows = await catalog.db.selectFrom('machine_token').selectAll().execute()
  expect(rows.some(({ hash }) => hash.equals(hashMachineToken(secret)))).toBe(true)
  for (const stored of [
    rows,
    tokens,
    await readOutbox(),
    await catalog.accounts.getProfile({}, options),
  ])
    expect(show(stored)).not.toContain(secret.slice(8))
})

function show(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  )
}

test('says what it is', async () => {
  const { token, options } = await create({ role: Role.ADMIN })
  const profile = await catalog.accounts.getProfile({}, options)
  expect(profile.user).toMatchObject({ id: admin.userId })
  expect(profile.user?.email ?? profile.user?.firstName).toBeUndefined()
  expect(profile.accounts).toMatchObject([{ account: { name: account }, role: Role.ADMIN }])
  expect(profile.machineToken).toMatchObject({ id: token?.id, name: 'ci', role: Role.ADMIN })
  expect(await catalog.tokens.verifyMachineToken({}, options)).toMatchObject({
    id: token?.id,
    name: 'ci',
    role: Role.ADMIN,
    countsFor: JSON.stringify(['test', `admin-${round}`]),
  })
  expect(await outcomeOf(catalog.tokens.verifyMachineToken({}, admin.options))).toBe(
    'machine_token_required',
  )
})

describe('ends', () => {
  test('at once on every replica when it is revoked', async () => {
    const { id, options } = await create()
    const replica = await catalog.startReplica()
    const usage = async () =>
      await Promise.all([
        outcome(options),
        outcomeOf(replica.accounts.getAccountUsage({ account }, options)),
      ])
    expect(await usage()).toEqual(['ok', 'ok'])
    await catalog.tokens.revokeMachineToken({ account, id }, owner.options)
    expect(await usage()).toEqual(['invalid_token', 'invalid_token'])
    const again = catalog.tokens.revokeMachineToken({ account, id }, owner.options)
    expect(await failureOf(again)).toBe('token_not_found')
  })

  test('when it expires', async () => {
    const { id, options } = await create({ lifetimeDays: 1 })
    await expire(id)
    expect(await outcome(options)).toBe('invalid_token')
    const { tokens } = await catalog.tokens.listMachineTokens({ account }, owner.options)
    expect(tokens.map((token) => token.id)).toEqual([id])
  })

  test('when its creator leaves the account, and stays gone when they return', async () => {
    const { options } = await create()
    const member = { account, userId: admin.userId }
    await catalog.accounts.deleteMember(member, owner.options)
    expect(await outcome(options)).toBe('invalid_token')
    await catalog.accounts.putMember({ ...member, role: Role.ADMIN }, owner.options)
    expect(await outcome(options)).toBe('invalid_token')
  })
})

async function expire(id: string): Promise<void> {
  await catalog.db
    .updateTable('machine_token')
    .set({ expire_time: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
}

test('only its account can revoke it', async () => {
  const { id, options } = await create()
  const other = { account: owner.account, id }
  expect(await failureOf(catalog.tokens.revokeMachineToken(other, owner.options))).toBe(
    'token_not_found',
  )
  expect(await outcome(options)).toBe('ok')
})

test('answers the other services about its role, which no other account has', async () => {
  const { accounts } = catalog
  const { id, options } = await create()
  const asDeployer = await catalog.asService('deployer')
  const identity = { realm: 'urn:slipway:machine-token', subject: id }
  const check = async (name: string) =>
    await accounts.checkAccess({ account: name, ...identity }, asDeployer)
  expect(await check(account)).toMatchObject({ userId: admin.userId, role: Role.MEMBER })
  expect(await check(admin.account)).toMatchObject({ userId: '', role: Role.UNSPECIFIED })
  await catalog.tokens.revokeMachineToken({ account, id }, owner.options)
  expect(await check(account)).toMatchObject({ role: Role.UNSPECIFIED })
  for (const subject of ['', 'x', '*', owner.userId]) {
    const request = { account, ...identity, subject }
    expect((await accounts.checkAccess(request, asDeployer)).role).toBe(Role.UNSPECIFIED)
  }
  expect(await outcome(options)).toBe('invalid_token')
})

test.each(['invented', 'checksum', 'short', 'quoted'])('rejects one that is %s', async (how) => {
  const { secret } = await create()
  const wrong = {
    invented: newMachineToken(),
    checksum: `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`,
    short: secret.slice(0, -1),
    quoted: `${secret}.`,
  }[how]
  expect(await outcome(bearer(wrong ?? ''))).toBe('invalid_token')
})

test('records its last use about once a minute', async () => {
  const { id, options } = await create()
  const lastUse = async () => {
    const { tokens } = await catalog.tokens.listMachineTokens({ account }, owner.options)
    return tokens.find((token) => token.id === id)?.lastUseTime
  }
  expect(await lastUse()).toBeUndefined()
  expect(await outcome(options)).toBe('ok')
  const first = await waitFor(lastUse, { what: 'the last use' })
  for (let round = 0; round < 5; round += 1) expect(await outcome(options)).toBe('ok')
  // A replica that has not stored one changes nothing either.
  const replica = await catalog.startReplica()
  expect(await outcomeOf(replica.accounts.getAccountUsage({ account }, options))).toBe('ok')
  expect(await lastUse()).toEqual(first)
})

describe('refuses to create', () => {
  test.each([
    [{ role: Role.OWNER }, 'role: must be one of member, admin'],
    [{ lifetimeDays: 366 }, 'lifetime_days: must be from 1 to 365'],
    [{ lifetimeDays: -1 }, 'lifetime_days: must be from 1 to 365'],
    [{ name: '' }, 'name: must be 1-64 letters'],
  ])('a token with %o', async (wanted, message) => {
    await expect(create(wanted)).rejects.toThrow(message.replace(': ', ' '))
  })

  test('a second token of a name, until the first one has ended', async () => {
    const { id } = await create()
    expect(await failureOf(create())).toBe('token_name_taken')
    await expire(id)
    await create()
    const { tokens } = await catalog.tokens.listMachineTokens({ account }, owner.options)
    expect(tokens).toHaveLength(1)
  })

  test('more tokens than the account may have, also at the same time', async () => {
    const names = Array.from({ length: 110 }, (_, index) => `ci ${index}`)
    const outcomes = await Promise.all(names.map((name) => outcomeOf(create({ name }))))
    expect(outcomes.filter((each) => each === 'ok')).toHaveLength(100)
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'quota_exceeded']))
    const { uses } = await catalog.accounts.getAccountUsage({ account }, owner.options)
    expect(uses.find(({ limit }) => limit === 'machine_tokens')).toMatchObject({
      used: 100n,
      bound: 100n,
    })
  })
})

test('reports who created and who revoked it', async () => {
  const { id } = await create()
  await catalog.tokens.revokeMachineToken({ account, id }, owner.options)
  const payloads = (await readOutbox()).map(({ payload }) => payload)
  expect(payloads.filter(({ value }) => value !== undefined && 'tokenId' in value)).toEqual(
    expect.arrayContaining([
      {
        case: 'machineTokenCreated',
        value: expect.objectContaining({ tokenId: id, name: 'ci', createdBy: admin.userId }),
      },
      {
        case: 'machineTokenRevoked',
        value: expect.objectContaining({ tokenId: id, name: 'ci', revokedBy: owner.userId }),
      },
    ]),
  )
})

async function readOutbox(): Promise<Event[]> {
  const { rows } = await sql<{ payload: Buffer }>`SELECT payload FROM outbox`.execute(catalog.db)
  return rows.map(({ payload }) => fromBinary(EventSchema, payload))
}
