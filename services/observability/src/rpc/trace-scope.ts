import type { HandlerContext } from '@connectrpc/connect'
import { timestampFromMs, type Timestamp } from '@bufbuild/protobuf/wkt'
import type { TimeRange } from '@slipway/proto/slipway/observability/v1/trace'
import { userKey } from '@slipway/shared/auth'
import { Violations } from '@slipway/shared/errors'
import type { Owner } from '@slipway/shared/fair-queue'
import { requireUser } from '@slipway/shared/rpc'

import type { ObservabilityContext } from '../context.ts'
import { clampToRetention, resolveRange, type TraceRange } from '../domain/trace-range.ts'
import type { TraceScope } from '../query/traces-sql.ts'
import type { QueryLimits } from '../store/trace-store.ts'

/** The part of the caller's deadline that is reserved for sending the response. */
const MARGIN_MS = 100

/** A request about an agent's traces, whose caller is a member of the account. */
export interface RequestScope {
  /** The requested range with defaults filled in. */
  readonly range: TraceRange
  readonly scope: TraceScope
  /** On whose behalf the queries run. */
  readonly owner: Owner
  readonly limits: QueryLimits
}

/** The agent and the range of a request. */
interface ScopeRequest {
  readonly account: string
  readonly name: string
  readonly range?: TimeRange | undefined
  /** The range of the first page of a list, which replaces `range`. */
  readonly resolved?: TraceRange | undefined
}

/**
 * Checks the fields of a request, with `check` for the range, and then the caller's membership.
 * Throws InvalidInput and PermissionDenied.
 */
export async function openScope<Checked = undefined>(
  context: ObservabilityContext,
  call: HandlerContext,
  request: ScopeRequest,
  check: (range: TraceRange) => Checked = () => undefined as Checked,
): Promise<RequestScope & { checked: Checked }> {
  const nowMs = context.clock()
  const limits = queryLimits(context, call)
  const requested = { startNs: toNs(request.range?.start), endNs: toNs(request.range?.end) }
  const range = resolveRange(request.resolved ?? requested, nowMs)
  new Violations().requireFilled({ name: request.name }).throwIfAny()
  const checked = check(range)
  const { account, name: agent } = request
  const owner = await context.memberships.require(call, account, agent)
  const retentionDays = context.retention.daysOf(owner.accountId)
  const kept = clampToRetention(range, { nowMs, retentionDays })
  const scope = {
    ...owner,
    range: kept,
    parts: [kept],
    retentionDays,
    settledBeforeUs: settledBeforeUs(context),
  }
  return { range, scope, owner: queryOwner(call, owner.accountId), limits, checked }
}

/**
 * Returns the time by which a span with an unknown parent must have been stored to count as a root,
 * in microseconds since 1970.
 */
export function settledBeforeUs({ clock, settings }: ObservabilityContext): number {
  return Math.trunc(clock() - settings.graceMs) * 1000
}

/** The calling user and the account that the call reads. */
export function queryOwner(call: HandlerContext, accountId: string): Owner {
  return { user: userKey(requireUser(call)), account: accountId }
}

/** Limits the queries of a call to its deadline and to the configured time. */
export function queryLimits({ settings }: ObservabilityContext, call: HandlerContext): QueryLimits {
  const remainingMs = (call.timeoutMs() ?? Infinity) - MARGIN_MS
  const deadlineMs = Date.now() + Math.min(settings.timeoutMs, remainingMs)
  return { deadlineMs, signal: call.signal }
}

/** Converts a range to a TimeRange of the API, in milliseconds. */
export function toTimeRange({ startNs, endNs }: TraceRange) {
  return { start: toTimestamp(startNs), end: toTimestamp(endNs) }
}

/** Converts nanoseconds since 1970 to a time of the API, in milliseconds. */
export function toTimestamp(ns: bigint): Timestamp {
  return timestampFromMs(Number(ns / 1_000_000n))
}

function toNs(time: Timestamp | undefined): bigint | undefined {
  return time && time.seconds * 1_000_000_000n + BigInt(time.nanos)
}
