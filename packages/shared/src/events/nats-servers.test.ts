import { describe, expect, test } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { readNatsServers } from './nats-servers.ts'

test.each([
  ['NATS_CREDENTIALS_FILE', import.meta.filename, /^must have a user JWT and an nkey seed/],
  ['NATS_CA_FILE', import.meta.filename, /^must have at least one certificate in PEM/],
  ['NATS_CREDENTIALS_FILE', '/missing', /can't be read \(ENOENT\)/],
  ['NATS_CA_FILE', '/missing', /can't be read \(ENOENT\)/],
])('%s %s is reported, and a service starts without it', (setting, path, problem) => {
  const { credentials, trustedCa } = parseConfig({ [setting]: path }, readNatsServers)
  const file = setting === 'NATS_CA_FILE' ? trustedCa : credentials
  expect(file).toMatchObject({
    name: setting,
    initial: undefined,
    problems: [expect.stringMatching(problem)],
  })
})

describe('NATS_URL', () => {
  const problemOf = (url: string) => parseConfig({ NATS_URL: url }, readNatsServers).urlProblem

  test.each(['', 'nats://a', 'tls://user:secret@a:4222, nats://b'])('accepts %j', (url) => {
    expect(problemOf(url)).toBeUndefined()
  })

  test.each(['a:4222', 'http://a', 'nats://a,', 'nats://', 'nats://user:secret@a:port'])(
    'reports %j, and a service starts without it',
    (url) => {
      expect(problemOf(url)).toBe('must be nats:// or tls:// with a host')
    },
  )
})
