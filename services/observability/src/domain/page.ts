import { invalidField, Violations } from '@slipway/shared/errors'

import type { TraceRange } from './trace-range.ts'

const MAX_PAGE_SIZE = 500
const DEFAULT_PAGE_SIZE = 50
const MAX_OFFSET = 100_000

/** A page of a list of traces. */
export interface Page {
  readonly limit: number
  /** How many traces of the list come before the page. */
  readonly offset: number
}

/** What a page token holds: where a page begins, and the range of the list. */
export interface PageStart {
  readonly offset: number
  readonly range: TraceRange
}

/**
 * The page that a request asks for; a page size of 0 means the default. Throws InvalidInput if a
 * value is out of bounds.
 */
export function resolvePage(
  request: { readonly pageSize: number; readonly skip: number },
  start: PageStart | undefined,
): Page {
  const limit = request.pageSize === 0 ? DEFAULT_PAGE_SIZE : request.pageSize
  const before = start?.offset ?? 0
  new Violations()
    .requireWithin('page_size', limit, 1, MAX_PAGE_SIZE)
    .requireWithin('skip', request.skip, 0, MAX_OFFSET - before)
    .throwIfAny()
  return { limit, offset: before + request.skip }
}

/** The token of the page after this one; empty if there is none, or if it would begin too late. */
export function nextPageToken(range: TraceRange, { limit, offset }: Page, total: number): string {
  const next = offset + limit
  return next < total && next <= MAX_OFFSET ? encode({ offset: next, range }) : ''
}

/** Reads a token of `nextPageToken`; undefined if it is empty. Throws InvalidInput for others. */
export function readPageToken(token: string): PageStart | undefined {
  if (token === '') return undefined
  const text = token.length > 128 ? '' : Buffer.from(token, 'base64url').toString()
  const [, offset = '', startNs = '', endNs = ''] =
    /^(\d{1,6})\/(-?\d{1,20})\/(-?\d{1,20})$/.exec(text) ?? []
  const start = {
    offset: Number(offset),
    range: { startNs: BigInt(startNs), endNs: BigInt(endNs) },
  }
  if (start.offset < 1 || start.offset > MAX_OFFSET || encode(start) !== token)
    throw invalidField('page_token', 'must come from a previous answer')
  return start
}

function encode({ offset, range }: PageStart): string {
  return Buffer.from(`${offset}/${range.startNs}/${range.endNs}`).toString('base64url')
}
