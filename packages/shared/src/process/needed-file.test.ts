import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { testAuthority } from '@slipway/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { readTrustedCa } from '../config/tls.ts'
import { createLogger } from '../logging/logger.ts'
import { NeededFile } from './needed-file.ts'

const damaged = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('uses the authorities next to a damaged one in a changed file, and reports it', async () => {
  await using authority = await testAuthority()
  await using other = await testAuthority()
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-needed-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'ca.crt')
  await writeFile(path, '')
  const file = parseConfig({ CA_FILE: path }, (reader) => ({
    ca: readTrustedCa(reader, 'CA_FILE'),
  })).ca
  if (file === undefined) throw new Error('the setting is set')
  const lines: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) })
  using needed = new NeededFile(file, logger, 'nothing')
  await expect(needed.check()).rejects.toThrow('CA_FILE is not valid')

  const first = authority.ca.trim()
  const second = other.ca.trim()
  const replace = async (text: string) => {
    await writeFile(path, text)
    vi.advanceTimersByTime(10_000)
  }
  await replace(`${first}\n${damaged}`)
  await expect.poll(() => needed.value()).toBe(first)
  await expect
    .poll(() => JSON.parse(lines.at(-1) ?? '') as unknown)
    .toMatchObject({
      event: 'invalid_setting',
      problem: expect.stringContaining('certificate 2 of 2'),
      in_effect: 'the valid parts of the file',
    })
  await replace(`${first}\n${damaged}${second}`)
  await expect.poll(() => needed.value()).toBe(`${first}\n${second}`)
  await replace(damaged)
  await expect
    .poll(() => JSON.parse(lines.at(-1) ?? '') as unknown)
    .toMatchObject({ in_effect: 'what was in effect before' })
  expect(needed.value()).toBe(`${first}\n${second}`)
})
