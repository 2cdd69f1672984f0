import type { SessionSearch, SessionsSearch } from '../api/agent-sessions.ts'
import type { CompareSearch } from '../api/compare-query.ts'
import { RANGES, type RangeName, type TimeSearch } from '../api/time-range.ts'
import type { TraceSearch } from '../api/trace-queries.ts'

type Given = Readonly<Record<string, unknown>>

const MOST_OF_WORDS = 200
/** The server keeps 256 bytes of the ids of sessions and users. */
const MOST_OF_ID = 256

/** Filters of the list of deployments. */
export interface DeploymentsSearch {
  readonly q?: string
  readonly state?: 'trouble'
}

/** Filters of the catalog. */
export interface CatalogSearch {
  /** Only the agents of this account, with those that are not published. */
  readonly account?: string
  readonly q?: string
  readonly tag?: string
}

/** Which build is deployed; by default the newest. */
export interface DeploySearch {
  readonly version?: string
  /** The id of a build, or `current` for the one that runs. */
  readonly build?: string
}

/** Which log is shown, and which of its lines. */
export interface LogsSearch {
  readonly pod?: string
  readonly container?: string
  readonly previous?: true
  readonly q?: string
}

/** Reads the filters in the address; what isn't valid is left out. */
export function deploymentsSearch(given: Given): DeploymentsSearch {
  return { ...text(given, 'q'), ...(given['state'] === 'trouble' ? { state: 'trouble' } : {}) }
}

/** The same for the catalog. */
export function catalogSearch(given: Given): CatalogSearch {
  return { ...text(given, 'account'), ...text(given, 'q'), ...text(given, 'tag') }
}

/** The same for the form of a deploy. A version has precedence. */
export function deploySearch(given: Given): DeploySearch {
  const version = text(given, 'version')
  return version.version === undefined ? text(given, 'build') : version
}

/** The same for a log. */
export function logsSearch(given: Given): LogsSearch {
  return {
    ...text(given, 'pod'),
    ...text(given, 'container'),
    ...(given['previous'] === true ? { previous: true } : {}),
    ...text(given, 'q'),
  }
}

/** The same for the list of traces. */
export function traceSearch(given: Given): TraceSearch {
  const { status } = given
  return {
    ...text(given, 'q'),
    ...(status === 'ok' || status === 'error' ? { status } : {}),
    ...text(given, 'model'),
    ...text(given, 'session', MOST_OF_ID),
    ...count(given, 'slower'),
    ...rangeName(given),
    ...count(given, 'offset'),
  }
}

/** The same for the list of sessions. */
export function sessionsSearch(given: Given): SessionsSearch {
  return {
    ...text(given, 'q', MOST_OF_ID),
    ...text(given, 'user', MOST_OF_ID),
    ...(given['failed'] === true ? { failed: true } : {}),
    ...rangeName(given),
    ...count(given, 'offset'),
  }
}

/** The same for a session. */
export function sessionSearch(given: Given): SessionSearch {
  return { ...text(given, 'id', MOST_OF_ID), ...count(given, 'offset') }
}

/** The same for metrics. Two times go before a range that ends now. */
export function metricsSearch(given: Given): TimeSearch {
  const [from, to] = [timeOf(given['from']), timeOf(given['to'])]
  return from !== undefined && to !== undefined && from < to ? { from, to } : rangeName(given)
}

/** The same for the revisions that are compared. */
export function compareSearch(given: Given): CompareSearch {
  return { ...count(given, 'from'), ...count(given, 'to') }
}

/** The filters with one of them changed, or with an empty value removed. */
export function withFilter<Search extends object, Name extends keyof Search>(
  search: Search,
  name: Name,
  value: Search[Name] | '',
): Search {
  const { [name]: _, ...rest } = search
  return (value === '' || value === undefined ? rest : { ...rest, [name]: value }) as Search
}

/** The same for a list with pages: leads back to its first page. */
export function withListFilter<
  Search extends { readonly offset?: number },
  Name extends Exclude<keyof Search, 'offset'>,
>(search: Search, name: Name, value: Search[Name] | ''): Search {
  const { offset: _, ...rest } = withFilter(search, name, value)
  return rest as Search
}

function text<Name extends string>(
  given: Given,
  name: Name,
  most = MOST_OF_WORDS,
): { [name in Name]?: string } {
  const value = given[name]
  // The router reads a word of digits as a number.
  const words = typeof value === 'number' ? String(value) : value
  if (typeof words !== 'string' || words === '') return {}
  return { [name]: words.slice(0, most) } as { [name in Name]?: string }
}

function count<Name extends string>(given: Given, name: Name): { [name in Name]?: number } {
  const value = given[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return {}
  return { [name]: value } as { [name in Name]?: number }
}

function rangeName({ since }: Given): { readonly since?: RangeName } {
  return typeof since === 'string' && Object.hasOwn(RANGES, since)
    ? { since: since as RangeName }
    : {}
}

/** A time in ISO 8601, if it is one. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined
  return new Date(value).toISOString()
}
