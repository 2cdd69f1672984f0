import { testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { createLogger } from '../logging/logger.ts'
import { reportExtraAuthorities } from './extra-authorities.ts'

test('says what Node ignores in the file of NODE_EXTRA_CA_CERTS', async () => {
  await using authority = await testAuthority()
  const linesOf = (env: Record<string, string>) => {
    const lines: string[] = []
    const logger = createLogger('test', 'info', { write: (line) => lines.push(line) })
    using _report = reportExtraAuthorities(env, logger)
    return lines.map((line) => JSON.parse(line) as unknown)
  }
  expect(linesOf({})).toEqual([])
  expect(linesOf({ NODE_EXTRA_CA_CERTS: authority.caFile })).toEqual([])
  for (const [path, problem] of [
    ['/none', 'ENOENT'],
    [import.meta.filename, 'at least one certificate'],
  ] as const)
    expect(linesOf({ NODE_EXTRA_CA_CERTS: path })).toMatchObject([
      {
        event: 'invalid_setting',
        setting: 'NODE_EXTRA_CA_CERTS',
        problem: expect.stringContaining(problem),
        remedy: expect.stringContaining(path),
      },
    ])
})
