import { beforeAll, expect, test } from 'vitest'

import { expiredToken } from '../support/expired-token.ts'
import { matrixRows, type MatrixRow } from './cases/matrix-rows.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { ask, CALLERS, makeWorld, type World } from './support/catalog-fixture.ts'

let api: ApiDocument
let world: World

beforeAll(async () => {
  api = await readApiDocument()
  world = await makeWorld()
  await expiredToken()
}, 120_000)

function pathOf({ route, params = {}, query = '' }: MatrixRow): string {
  const template = route.slice(route.indexOf(' ') + 1)
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') + query
}

test('covers every route of the API document', () => {
  const known = new Set(matrixRows(world).map(({ route }) => route))
  expect([...api.operations.keys()].filter((route) => !known.has(route))).toEqual([])
})

test.each(CALLERS)('returns the expected status to the %s on every route', async (caller) => {
  const found: Record<string, number> = {}
  const expected: Record<string, number> = {}
  for (const row of matrixRows(world)) {
    const method = row.route.slice(0, row.route.indexOf(' '))
    const { status } = await ask(
      method,
      pathOf(row),
      caller,
      row.body === undefined ? {} : { body: row.body(caller) },
    )
    const title = `${row.route} ${JSON.stringify(row.params ?? {})}${row.query ?? ''}`
    found[title] = status
    expected[title] = row.expected[caller]
    if (status < 300) await row.restore?.()
  }
  expect(found).toEqual(expected)
})
