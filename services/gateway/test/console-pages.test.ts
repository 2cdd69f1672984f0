import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const SIGN_IN = {
  SIGN_IN_CLIENT_ID: 'console',
  SESSION_KEY: 'cd'.repeat(32),
  SERVICE_TOKEN_URL: 'http://127.0.0.1:1/token',
  SERVICE_CLIENT_ID: 'gateway',
  SERVICE_CLIENT_SECRET: 'secret',
}
const SCRIPT = `console.log(${'1'.repeat(2000)})`

let folder: string
let gateway: LoneGateway

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-console-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(SCRIPT))
  writeFileSync(join(folder, 'assets/secret.key'), 'secret')
  gateway = await startLoneGateway({ CONSOLE_FOLDER: folder, ...SIGN_IN })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test.each(['/', '/accounts/alice/deployments', '/accounts/a/deployments/b/logs', '/catalog'])(
  'serves the page at %s to browsers, not to be framed or stored without asking',
  async (path) => {
    const { status, headers, text } = await gateway.send('GET', path, BROWSER)
    expect([status, text]).toEqual([200, '<!doctype html><title>Console</title>'])
    expect(headers.get('cache-control')).toBe('no-cache')
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'self'; .*frame-ancestors 'none'$/)
    expect(policy).not.toContain('unsafe')
    expect(headers.get('vary')).toContain('Accept')
    const etag = headers.get('etag') ?? ''
    const again = { headers: { ...BROWSER.headers, 'if-none-match': etag } }
    expect((await gateway.send('GET', path, again)).status).toBe(304)
  },
)

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
])('serves hashed files for ever, for clients that accept %s', async (accepted, encoding) => {
  const options = { headers: { 'accept-encoding': accepted } }
  const { status, headers, text } = await gateway.send('GET', '/assets/index-abc.js', options)
  expect([status, headers.get('content-encoding'), text]).toEqual([200, encoding, SCRIPT])
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test.each([
  '/api/v1/unknown',
  '/api/v1',
  '/auth/unknown',
  '/auth',
  '/.well-known/unknown',
  '/livez/unknown',
  '/assets/unknown.js',
  '/assets/secret.key',
  '/assets/..%2Findex.html',
  '/assets/%2e%2e/%2e%2e/package.json',
])('answers %s with a problem, also to browsers', async (path) => {
  const { status, body } = await gateway.sendRaw('GET', path, BROWSER)
  expect([status, body.code]).toEqual([404, 'route_not_found'])
})

test.each(['/unknown', '/unknown?of=/api/v1', '/apis/agents', '/docs/unknown.md', '//unknown'])(
  'shows browsers that %s does not exist, and programs a problem',
  async (path) => {
    const { status, headers, text } = await gateway.sendRaw('GET', path, BROWSER)
    expect([status, text]).toEqual([404, '<!doctype html><title>Console</title>'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; /)
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-cache'])
    expect(headers.get('vary')).toContain('Accept')
    expect((await gateway.sendRaw('HEAD', path, BROWSER)).status).toBe(404)
    for (const [method, options] of [['GET'], ['POST', BROWSER]] as const) {
      const answer = await gateway.sendRaw(method, path, options)
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, 'route_not_found'])
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /)
    }
  },
)

test('serves pages only to those who accept HTML', async () => {
  const { status, body } = await gateway.send('GET', '/accounts/alice/deployments')
  expect([status, body.code]).toEqual([404, 'route_not_found'])
  expect((await gateway.send('GET', '/')).body.api).toBe('/api/v1')
  const posted = await gateway.send('POST', '/catalog', BROWSER)
  expect([posted.status, posted.body.code]).toEqual([404, 'route_not_found'])
})

test('keeps the pages of the documentation', async () => {
  const { status, text } = await gateway.send('GET', '/docs/', BROWSER)
  expect([status, text.includes('<title>Slipway API</title>')]).toEqual([200, true])
})

test.each([
  ['CONSOLE is off', { CONSOLE: 'off' }],
  ['no one can sign in with a browser', { SIGN_IN_CLIENT_ID: '' }],
  ['it was not built', { CONSOLE_FOLDER: '/nonexistent' }],
])('starts without the console when %s', async (_, env) => {
  await using lone = await startLoneGateway({ CONSOLE_FOLDER: folder, ...SIGN_IN, ...env })
  const home = await lone.send('GET', '/', BROWSER)
  expect([home.status, home.text.includes('<title>Slipway API</title>')]).toEqual([200, true])
  for (const path of ['/catalog', '/unknown']) {
    const page = await lone.send('GET', path, BROWSER)
    expect([page.status, page.body.code]).toEqual([404, 'route_not_found'])
  }
  expect((await lone.send('GET', '/assets/index-abc.js')).status).toBe(404)
})
