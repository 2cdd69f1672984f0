import type { HandlerContext } from '@connectrpc/connect'
import { timestampFromMs, type Timestamp } from '@bufbuild/protobuf/wkt'
import type { TimeRange } from '@slipway/proto/slipway/observability/v1/trace'
import { Violations } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import {
  clampToRetention,
  isMostOfRetention,
  resolveRange,
  type TraceRange,
} from '../domain/trace-range.ts'
import type { TraceScope } from '../query/traces-sql.ts'
import type { QueryLimits } from '../store/trace-store.ts'

/** Left for the way back to the caller when the queries take all the time there is. */
const MARGIN_MS = 100

/** What a request about an agent's traces means once its caller is known to be a member. */
export interface RequestScope {
  /** The range as asked for, with the defaults filled in. */
  readonly range: TraceRange
  readonly scope: TraceScope
  readonly limits: QueryLimits
}

/** The agent that a request is about, and the range that it asks for. */
interface ScopeRequest {
  readonly account: string
  readonly name: string
  readonly range?: TimeRange | undefined
  /** Takes the place of `range`: the range of the first page of a list. */
  readonly resolved?: TraceRange | undefined
}

/** Checks the range, by `check` as well, and then the caller. */
export async function openScope<Checked = undefined>(
  context: ObservabilityContext,
  call: HandlerContext,
  request: ScopeRequest,
  check: (range: TraceRange) => Checked = () => undefined as Checked,
): Promise<RequestScope & { checked: Checked }> {
  const nowMs = context.clock()
  const limits = queryLimits(context, call)
  const asked = { startNs: toNs(request.range?.start), endNs: toNs(request.range?.end) }
  const range = resolveRange(request.resolved ?? asked, nowMs)
  new Violations().requireFilled({ name: request.name }).throwIfAny()
  const checked = check(range)
  const accountId = await context.access.requireMember(request.account, call)
  const { retentionDays } = context.settings
  const kept = clampToRetention(range, { nowMs, retentionDays })
  const scope = {
    accountId,
    agent: request.name,
    range: kept,
    isLong: isMostOfRetention(kept, retentionDays),
    settledBefore: settledBefore(context),
  }
  return { range, scope, limits, checked }
}

/**
 * Spans with an unknown parent that were stored before are taken for roots. In microseconds since
 * 1970.
 */
export function settledBefore({ clock, settings }: ObservabilityContext): number {
  return Math.trunc(clock() - settings.graceMs) * 1000
}

/**
 * How long the queries of a call may take: what is left of its deadline, and never more than the
 * setting.
 */
export function queryLimits({ settings }: ObservabilityContext, call: HandlerContext): QueryLimits {
  const remainingMs = (call.timeoutMs() ?? Infinity) - MARGIN_MS
  return { deadline: Date.now() + Math.min(settings.timeoutMs, remainingMs), signal: call.signal }
}

/** The range as the API tells it, in milliseconds. */
export function toTimeRange({ startNs, endNs }: TraceRange) {
  return { start: toTimestamp(startNs), end: toTimestamp(endNs) }
}

/** A time of the API. */
export function toTimestamp(ns: bigint): Timestamp {
  return timestampFromMs(Number(ns / 1_000_000n))
}

function toNs(time: Timestamp | undefined): bigint | undefined {
  return time && time.seconds * 1_000_000_000n + BigInt(time.nanos)
}
