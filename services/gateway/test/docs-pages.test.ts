import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway

beforeAll(async () => {
  // This checkout may have the console.
  gateway = await startLoneGateway({ CONSOLE: 'off' })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

test('says at / where the API and its description are', async () => {
  const { status, body } = await gateway.send('GET', '/')
  expect([status, body]).toEqual([
    200,
    {
      name: 'Slipway',
      api: '/api/v1',
      docs: '/docs',
      guides: '/docs/guide',
      openapi: '/api/v1/openapi.json',
    },
  ])
  const page = await gateway.send('GET', '/', { headers: { accept: 'text/html,*/*' } })
  expect([page.status, page.text.includes('<title>Slipway API</title>')]).toEqual([200, true])
})

test('stores no token in the browser, and has the policy of the console', async () => {
  const { text } = await gateway.send('GET', '/docs/static/swagger-initializer.js')
  expect(text).toContain('"persistAuthorization":false')
  const { headers } = await gateway.send('GET', '/docs')
  const policy = headers.get('content-security-policy')
  for (const part of ["default-src 'self'", "form-action 'none'", "base-uri 'none'"])
    expect(policy).toContain(part)
})

test('serves the guides, whose links lead to pages and headings that exist', async () => {
  const pages = new Map<string, string>()
  const read = async (path: string): Promise<void> => {
    if (pages.has(path)) return
    const { status, headers, text } = await gateway.send('GET', path)
    expect([path, status, headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ])
    pages.set(path, text)
    for (const each of linksIn(path, text)) await read(each.pathname)
  }
  await read('/docs/guide')
  expect(pages.get('/docs/guide/first-agent.md')).toContain('<title>Your first agent – Slipway')
  const { text: redirected } = await gateway.send('GET', '/docs/guide/first-agent')
  expect(redirected).toBe(pages.get('/docs/guide/first-agent.md'))
  expect(pages.size).toBeGreaterThan(15)
  for (const [path, text] of pages) {
    const missing = linksIn(path, text).filter(
      ({ pathname, hash }) =>
        hash !== '' && !pages.get(pathname)?.includes(`id="${hash.slice(1)}"`),
    )
    expect([path, missing.map(String)]).toEqual([path, []])
    const words = text.replaceAll(/<(pre|code|style)>.*?<\/\1>|<[^>]+>/gs, '')
    expect([path, words.match(/.*(\]\(|\*\*|`|<!--|^[|#-] ).*/m)?.[0]]).toEqual([path, undefined])
  }
  const { body } = await gateway.send('GET', '/api/v1/openapi.json')
  const linked = [...body.info.description.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, to]) => to)
  expect(linked.length).toBeGreaterThan(2)
  expect(linked.filter((path) => !pages.has(path))).toEqual([])
})

/** The links of a page to other guides. */
function linksIn(path: string, html: string): URL[] {
  return [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, target = '']) => new URL(target, `http://gateway${path}`))
    .filter(({ host, pathname }) => host === 'gateway' && pathname.startsWith('/docs/'))
}

test('serves the pages with their own style', async () => {
  const page = await gateway.send('GET', '/docs/')
  expect(page.text).toContain('slipway.css')
  const style = await gateway.send('GET', '/docs/static/theme/slipway.css')
  expect([style.status, style.headers.get('content-type')]).toEqual([
    200,
    'text/css; charset=UTF-8',
  ])
})
