import { usageError } from '../../errors/cli-error.ts'

const API = '/api/v1'

/** Headers that the client sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'host', 'content-length'])

/**
 * The path of a request below the address of the server, from what the user writes: `me`, `/me`,
 * `/api/v1/me` or the whole address. A token is only ever sent to its own server.
 */
export function apiPath(server: string, given: string): string {
  const base = new URL(server)
  const root = base.pathname.replace(/\/$/, '')
  const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(given) || given.startsWith('//')
  const text = isAddress ? given : `${server}${withApi(given)}`
  const url = URL.parse(text, server)
  const isBelow =
    url?.pathname === root + API || url?.pathname.startsWith(`${root}${API}/`) === true
  if (url === null || url.origin !== base.origin || url.username !== '' || !isBelow)
    throw usageError(
      `"${given}" is not a path of the API of ${server}`,
      'write the path below /api/v1, for example /me',
    )
  return `${url.pathname.slice(root.length)}${url.search}`
}

function withApi(given: string): string {
  const path = given.startsWith('/') ? given : `/${given}`
  return path === API || path.startsWith(`${API}/`) ? path : `${API}${path}`
}

/** Parses `name=text` and `name:=JSON`. */
export function parseFields(fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const [, name, operator, text = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(field) ?? []
      if (name === undefined)
        throw usageError(`"${field}" is not a field`, 'write --field name=text')
      return [name, operator === '=' ? text : parseJson(name, text)]
    }),
  )
}

/** Adds fields to the query of a path. */
export function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const [pathname = '', query = ''] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(fields))
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const text = parameters.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** Parses `Name: value`. */
export function parseHeaders(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(header) ?? []
      if (name === '')
        throw usageError(`"${header}" is not a header`, 'write --header "Name: value"')
      if (OWN_HEADERS.has(name.toLowerCase()))
        throw usageError(`the header ${name} can't be set`, 'use SLIPWAY_TOKEN for a token')
      return [name.toLowerCase(), value]
    }),
  )
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw usageError(`the field ${name} is not valid JSON`, `write ${name}=text for a text`)
  }
}
