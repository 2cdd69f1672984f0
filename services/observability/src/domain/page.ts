import { invalidField, Violations } from '@slipway/shared/errors'

import type { TraceRange } from './trace-range.ts'

const MAX_PAGE_SIZE = 500
const DEFAULT_PAGE_SIZE = 50
const MAX_OFFSET = 100_000

/** A page of a list of traces. */
export interface Page {
  readonly limit: number
  /** The number of traces before the page. */
  readonly offset: number
}

/** The content of a page token: the offset of the page and the range of the list. */
export interface PageStart {
  readonly offset: number
  readonly range: TraceRange
}

/**
 * Returns the page of a request, whose size defaults to 50 if it is 0. Throws InvalidInput for a
 * value out of bounds.
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

/** Returns the token of the next page; empty at the end and beyond the largest offset. */
export function nextPageToken(range: TraceRange, { limit, offset }: Page, total: number): string {
  const next = offset + limit
  return next < total && next <= MAX_OFFSET ? encode({ offset: next, range }) : ''
}

/** Reads a token of `nextPageToken`; undefined if it is empty. Throws InvalidInput otherwise. */
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
