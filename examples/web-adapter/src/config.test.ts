import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const platform = {
  AGENT_URL: 'http://agent.ns.svc:8080',
  WEB_ENABLED: 'true',
  SLACK_ENABLED: 'false',
}

test('needs only the variables of the platform', () => {
  expect(
    parseConfig({ ...platform, WEB_LISTEN_ADDR: ':8080', GRPC_LISTEN_ADDR: ':9090' }),
  ).toMatchObject({
    agentUrl: new URL('http://agent.ns.svc:8080'),
    host: undefined,
    port: 8080,
  })
})

test.each([
  ['127.0.0.1:0', '127.0.0.1', 0],
  ['[::1]:9000', '::1', 9000],
])('listens on %s', (address, host, port) => {
  expect(parseConfig({ ...platform, WEB_LISTEN_ADDR: address })).toMatchObject({ host, port })
})

test('reports all problems in one error', () => {
  const env = {
    AGENT_URL: 'file:///etc',
    SLACK_ENABLED: 'true',
    WEB_LISTEN_ADDR: '8080',
    WEB_MAX_REQUESTS: '0',
  }
  expect(() => parseConfig(env)).toThrow(
    /AGENT_URL.*WEB_ENABLED.*SLACK_ENABLED.*WEB_LISTEN_ADDR.*WEB_MAX_REQUESTS/,
  )
})
