import type { Call, CallInit } from './call.ts'
import { LIST_MEMBERS } from './gen/facts.ts'
import type { ItemOf, ListInit, ListPath, PageOf } from './types.ts'

const members: Readonly<Record<string, string>> = LIST_MEMBERS

type Page = Readonly<Record<string, unknown>>

/** The entries of a list. */
export async function* items<Path extends ListPath>(
  call: Call,
  path: Path,
  init: ListInit<Path>,
): AsyncGenerator<ItemOf<Path>, void> {
  for await (const page of pages(call, path, init)) {
    yield* entriesOf(path, page as Page) as readonly ItemOf<Path>[]
  }
}

/** The pages of a list. The API has two kinds: with a cursor, and with an offset. */
export async function* pages<Path extends ListPath>(
  call: Call,
  path: Path,
  init: ListInit<Path>,
): AsyncGenerator<PageOf<Path>, void> {
  const given = init as CallInit
  let next: Readonly<Record<string, unknown>> | undefined = {}
  while (next !== undefined) {
    const query: Page = { ...given.params?.query, ...next }
    const { data } = await call('get', path, { ...given, params: { ...given.params, query } })
    yield data as PageOf<Path>
    next = nextQuery(data as Page, entriesOf(path, data as Page).length, query)
  }
}

/** The part of the query that asks for the page after this one; undefined after the last. */
export function nextQuery(page: Page, entries: number, query: Page): Page | undefined {
  const { next_cursor: cursor, offset, limit, total } = page
  if (typeof cursor === 'string' && cursor !== '') {
    if (cursor === query['cursor']) throw new Error('the list returned the same page twice')
    return { cursor }
  }
  if (typeof offset !== 'number' || typeof limit !== 'number') return undefined
  const next = offset + entries
  const isLast = entries < limit || (typeof total === 'number' && next >= total)
  return isLast ? undefined : { offset: next }
}

function entriesOf(path: string, page: Page): readonly unknown[] {
  const entries = page[members[path] ?? '']
  return Array.isArray(entries) ? entries : []
}
