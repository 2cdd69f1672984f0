import { expect, test } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { readNatsServers } from './nats-servers.ts'

test('a file without a JWT and a seed is not a credentials file', () => {
  const read = () => parseConfig({ NATS_CREDENTIALS_FILE: import.meta.filename }, readNatsServers)
  expect(read).toThrow('NATS_CREDENTIALS_FILE: must have a user JWT and an nkey seed')
})
