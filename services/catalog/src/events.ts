import { appendEvent } from '@slipway/shared/events'
import type { RequestOrigin } from '@slipway/shared/rpc'
import type { Transaction } from 'kysely'

import type { CatalogSchema } from './db/tables.ts'

type Writer = Transaction<CatalogSchema>
type Appended = Parameters<typeof appendEvent>[1]

/** An agent whose builds changed. */
interface AgentRef {
  readonly accountId: string
  readonly agentId: string
  readonly agent: string
}

/** Appends the event that sessions of a user were ended, if there are any. */
export async function appendSessionsEnded(
  trx: Writer,
  { userId, sessionIds }: { userId: string; sessionIds: readonly string[] },
  origin: RequestOrigin,
): Promise<void> {
  if (sessionIds.length === 0) return
  await appendEvent(trx, {
    ...origin,
    kind: 'user',
    accountId: userId,
    aggregateId: userId,
    event: 'sessions_ended',
    payload: { case: 'browserSessionsEnded', value: { sessionIds: [...sessionIds] } },
  })
}

/** Appends the event that an account was created. */
export async function appendAccountCreated(
  trx: Writer,
  { accountId, name }: { accountId: string; name: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'created', {
    case: 'accountCreated',
    value: { name },
  })
}

/** Appends the event that an account was renamed. */
export async function appendAccountRenamed(
  trx: Writer,
  { accountId, oldName, newName }: { accountId: string; oldName: string; newName: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'renamed', {
    case: 'accountRenamed',
    value: { oldName, newName },
  })
}

/** Appends the event that a member was added, changed or removed. */
export async function appendMemberChanged(
  trx: Writer,
  { accountId, userId }: { accountId: string; userId: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'member_changed', {
    case: 'accountMemberChanged',
    value: { userId },
  })
}

/** Appends the event that an account was deleted. */
export async function appendAccountDeleted(
  trx: Writer,
  { accountId, name }: { accountId: string; name: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'deleted', {
    case: 'accountDeleted',
    value: { name },
  })
}

/** A machine token, and the user who has created or revoked it. */
interface TokenRef {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly userId: string
}

/** Appends the event that a machine token was created. */
export async function appendTokenCreated(
  trx: Writer,
  { accountId, id, name, userId }: TokenRef,
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'token_created', {
    case: 'machineTokenCreated',
    value: { tokenId: id, name, createdBy: userId },
  })
}

/** Appends the event that a machine token was revoked. */
export async function appendTokenRevoked(
  trx: Writer,
  { accountId, id, name, userId }: TokenRef,
  origin: RequestOrigin,
): Promise<void> {
  await appendOfAccount(trx, origin, accountId, 'token_revoked', {
    case: 'machineTokenRevoked',
    value: { tokenId: id, name, revokedBy: userId },
  })
}

/** Appends the event that an agent was deleted. */
export async function appendAgentDeleted(
  trx: Writer,
  { agent, ...ids }: AgentRef,
  origin: RequestOrigin,
): Promise<void> {
  const payload = { case: 'agentDeleted', value: { agent } } as const
  await appendOfAgent(trx, origin, ids, { kind: 'agent', event: 'deleted', payload })
}

/** Appends the event that a build was deleted. */
export async function appendBuildDeleted(
  trx: Writer,
  { agent, buildId, ...ids }: AgentRef & { buildId: string },
  origin: RequestOrigin,
): Promise<void> {
  const payload = { case: 'buildDeleted', value: { agent, buildId } } as const
  await appendOfAgent(trx, origin, ids, { kind: 'build', event: 'deleted', payload })
}

/** Appends the event that a build was registered or replaced, or that its readme changed. */
export async function appendBuildRegistered(
  trx: Writer,
  { agent, buildId, isPublished, ...ids }: AgentRef & { buildId: string; isPublished: boolean },
  origin: RequestOrigin,
): Promise<void> {
  const payload = { case: 'buildRegistered', value: { agent, buildId, isPublished } } as const
  await appendOfAgent(trx, origin, ids, { kind: 'build', event: 'registered', payload })
}

/** Appends the event that a build was published. */
export async function appendVersionPublished(
  trx: Writer,
  { agent, buildId, version, ...ids }: AgentRef & { buildId: string; version: string },
  origin: RequestOrigin,
): Promise<void> {
  const payload = { case: 'versionPublished', value: { agent, buildId, version } } as const
  await appendOfAgent(trx, origin, ids, { kind: 'version', event: 'published', payload })
}

/** Appends the event that a version was yanked or unyanked. */
export async function appendVersionYanked(
  trx: Writer,
  { agent, version, isYanked, ...ids }: AgentRef & { version: string; isYanked: boolean },
  origin: RequestOrigin,
): Promise<void> {
  const payload = {
    case: isYanked ? 'versionYanked' : 'versionUnyanked',
    value: { agent, version },
  } as const
  await appendOfAgent(trx, origin, ids, {
    kind: 'version',
    event: isYanked ? 'yanked' : 'unyanked',
    payload,
  })
}

async function appendOfAccount(
  trx: Writer,
  origin: RequestOrigin,
  accountId: string,
  event: string,
  payload: Appended['payload'],
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'account',
    accountId,
    aggregateId: accountId,
    event,
    payload,
  })
}

async function appendOfAgent(
  trx: Writer,
  origin: RequestOrigin,
  { accountId, agentId }: Omit<AgentRef, 'agent'>,
  event: Pick<Appended, 'kind' | 'event' | 'payload'>,
): Promise<void> {
  await appendEvent(trx, { ...origin, accountId, aggregateId: agentId, ...event })
}
