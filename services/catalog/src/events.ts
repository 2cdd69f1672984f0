import { appendEvent } from '@slipway/shared/events'
import type { RequestOrigin } from '@slipway/shared/rpc'
import type { Transaction } from 'kysely'

import type { CatalogSchema } from './db/tables.ts'

type Writer = Transaction<CatalogSchema>

/** An agent whose builds changed. */
interface AgentRef {
  readonly accountId: string
  readonly agentId: string
  readonly agent: string
}

/** Tells that an account was made. */
export async function appendAccountCreated(
  trx: Writer,
  { accountId, name }: { accountId: string; name: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'account',
    accountId,
    aggregateId: accountId,
    event: 'created',
    payload: { case: 'accountCreated', value: { name } },
  })
}

/** Tells that a build was registered, replaced, or given another readme. */
export async function appendBuildRegistered(
  trx: Writer,
  { accountId, agentId, agent, buildId }: AgentRef & { buildId: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'build',
    accountId,
    aggregateId: agentId,
    event: 'registered',
    payload: { case: 'buildRegistered', value: { agent, buildId } },
  })
}

/** Tells that a build was published. */
export async function appendVersionPublished(
  trx: Writer,
  { accountId, agentId, agent, buildId, version }: AgentRef & { buildId: string; version: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'version',
    accountId,
    aggregateId: agentId,
    event: 'published',
    payload: { case: 'versionPublished', value: { agent, buildId, version } },
  })
}

/** Tells that an account has another name. */
export async function appendAccountRenamed(
  trx: Writer,
  { accountId, oldName, newName }: { accountId: string; oldName: string; newName: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'account',
    accountId,
    aggregateId: accountId,
    event: 'renamed',
    payload: { case: 'accountRenamed', value: { oldName, newName } },
  })
}

/** Tells that a member was added, changed or removed. */
export async function appendMemberChanged(
  trx: Writer,
  { accountId, userId }: { accountId: string; userId: string },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'account',
    accountId,
    aggregateId: accountId,
    event: 'member_changed',
    payload: { case: 'accountMemberChanged', value: { userId } },
  })
}

/** Tells that a version was yanked, or a yank taken back. */
export async function appendVersionYanked(
  trx: Writer,
  { accountId, agentId, agent, version, isYanked }: AgentRef & { version: string; isYanked: boolean },
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    ...origin,
    kind: 'version',
    accountId,
    aggregateId: agentId,
    event: isYanked ? 'yanked' : 'unyanked',
    payload: { case: isYanked ? 'versionYanked' : 'versionUnyanked', value: { agent, version } },
  })
}
