import { expect, test } from 'vitest'
import { nginxConfiguration } from './nginx-configuration.ts'
import type { Route } from './routes.ts'

const listen = ['127.0.0.1:8000', '10.240.0.1:8000']
const target = { address: '10.96.0.9', port: 80 }
const route: Route = { host: 'a.example', path: '/', match: 'prefix', target }

/** The server block of a host. */
function serverOf(host: string, routes: readonly Route[]): string {
  const blocks = nginxConfiguration(routes, listen).text.split(/^  (?=server \{)/m)
  return blocks.find((block) => block.includes(`server_name "${host}"`)) ?? ''
}

test('returns 404 for every host without routes', () => {
  const { text, version } = nginxConfiguration([], listen)
  expect(text.match(/server \{/g)).toHaveLength(1)
  expect(text).toContain(`add_header x-slipway-ingress "${version}" always`)
  expect(text).toContain('return 404')
})

test('proxies a host to its Service', () => {
  expect(serverOf('a.example', [route])).toBe(`server {
    listen 127.0.0.1:8000;
    listen 10.240.0.1:8000;
    server_name "a.example";
    location / { proxy_pass http://10.96.0.9:80; }
  }
}
`)
})

test('matches a prefix by path elements, and an exact path first', () => {
  const routes: Route[] = [
    { ...route, path: '/a' },
    { ...route, path: '/b' },
    { ...route, path: '/b', match: 'exact', target: { address: 'fd00::1', port: 81 } },
  ]
  const block = serverOf('a.example', routes)
  expect(block.split('\n').filter((line) => line.includes('location'))).toEqual([
    expect.stringContaining('location / { return 404'),
    '    location = "/a" { proxy_pass http://10.96.0.9:80; }',
    '    location = "/b" { proxy_pass http://[fd00::1]:81; }',
    '    location ^~ "/a/" { proxy_pass http://10.96.0.9:80; }',
    '    location ^~ "/b/" { proxy_pass http://10.96.0.9:80; }',
  ])
})

test('matches a wildcard to one label', () => {
  expect(serverOf(String.raw`~^[^.]+\.b\.example$`, [{ ...route, host: '*.b.example' }])).toContain(
    'proxy_pass',
  )
})

test('returns 503 for a route without a target', () => {
  expect(serverOf('a.example', [{ ...route, target: undefined }])).toContain('return 503')
})

test('has a version that depends on the routes, not on their order', () => {
  const other = { ...route, host: 'b.example' }
  const version = (routes: Route[], address = listen) => nginxConfiguration(routes, address).version
  expect(version([route, other])).toBe(version([other, route]))
  expect(
    new Set([version([]), version([route]), version([other]), version([], ['127.0.0.1:8001'])])
      .size,
  ).toBe(4)
})

test.each<[string, Partial<Route>]>([
  ['host', { host: 'a"; }' }],
  ['path', { path: '/"; }' }],
  ['address', { target: { address: 'evil.example', port: 80 } }],
  ['address', { target: { address: '10.96.0.9', port: 0.5 } }],
])('throws for a hostile %s', (what, change) => {
  expect(() => nginxConfiguration([{ ...route, ...change }], listen)).toThrow(what)
})
