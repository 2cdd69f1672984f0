import { Violations } from '@slipway/shared/errors'
import { readPageToken, toPageToken } from '@slipway/shared/paging'

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
 * Returns the page of a request. A size of 0 means the default of 50. Throws InvalidInput for a
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
export function readPageStart(token: string): PageStart | undefined {
  return readPageToken(token, (position) => {
    const [, offset, startNs, endNs] =
      /^([1-9]\d{0,5})\/(-?\d{1,20})\/(-?\d{1,20})$/.exec(position) ?? []
    if (startNs === undefined || endNs === undefined || Number(offset) > MAX_OFFSET)
      return undefined
    const range = { startNs: BigInt(startNs), endNs: BigInt(endNs) }
    return { offset: Number(offset), range }
  })
}

function encode({ offset, range }: PageStart): string {
  return toPageToken(`${offset}/${range.startNs}/${range.endNs}`)
}
