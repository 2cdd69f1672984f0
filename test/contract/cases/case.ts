import { randomBytes } from 'node:crypto'

import type { Caller } from '../support/catalog-fixture.ts'

/** One request and the expected response. */
export interface Case {
  /** As the API document names it, without `/api/v1`. */
  readonly route: string
  readonly status: number
  /** The problem's machine-readable code. */
  readonly code?: string
  readonly caller: Caller
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string | Readonly<Record<string, string | boolean>>>>
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The service with the RPC; default `catalog`. */
  readonly service?: 'catalog' | 'deployer'
  /** Only HTTP has this case, and the gateway decides it: there is no such RPC. */
  readonly isHttpOnly?: boolean
}

/** A name that is not in use. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`
}

/** Path and query of a case, below `/api/v1`. */
export function pathOf({
  route,
  params = {},
  query = {},
}: Pick<Case, 'route' | 'params' | 'query'>): string {
  const template = route.slice(route.indexOf(' ') + 1)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`
}

/** The method of a case. */
export function methodOf({ route }: Pick<Case, 'route'>): string {
  return route.slice(0, route.indexOf(' '))
}

/** Names a case in the message of a failed comparison. */
export function titleOf(each: Omit<Case, 'body'> & { readonly body?: unknown }): string {
  const { route, status, code = '', caller, params, query, body } = each
  const sent = JSON.stringify({ params, query, body }).slice(0, 300)
  return `${route} ${status} ${code} as ${caller} ${sent}`
}
