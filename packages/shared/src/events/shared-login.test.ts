import { expect, test } from 'vitest'

import { createLogger } from '../logging/logger.ts'
import { connectNats } from './nats.ts'

// No server listens on these ports.
const A = '127.0.0.1:1'
const B = '127.0.0.1:2'
const C = '127.0.0.1:3'

async function reportsOf(url: string): Promise<string[]> {
  const lines: string[] = []
  const logger = createLogger('deployer', 'warn', { write: (line) => void lines.push(line) })
  await connectNats({ url, name: 'test', logger })[Symbol.asyncDispose]()
  expect(lines.join('')).not.toContain('secret')
  return lines
    .map((line) => JSON.parse(line) as { event: string; setting: string; problem: string })
    .filter(({ event, setting }) => event === 'unsafe_setting' && setting === 'NATS_URL')
    .map(({ problem }) => problem)
}

test.each([
  [
    'servers without a login get that of the first',
    `nats://u:secret@${A},nats://${B},nats://u:secret@${C}`,
    [`the user and password of ${A} also go to ${B}`],
  ],
  [
    'servers with another login get that of the first',
    `nats://u:secret@${A},nats://v:secret@${B},nats://u:secret2@${C}`,
    [`the user and password of ${A} also go to ${B}, ${C}`],
  ],
  [
    'a login is not used without one at the first',
    `nats://${A},nats://u:secret@${B}`,
    [`${A} has no user, so the user of ${B} isn't used`],
  ],
  ['one login for all servers', `nats://u:secret@${A}, nats://u:secret@${B}`, []],
  ['no login', `nats://${A},nats://${B}`, []],
  ['one server', `nats://u:secret@${A}`, []],
])('%s', async (_, url, reports) => {
  expect(await reportsOf(url)).toEqual(reports)
})
