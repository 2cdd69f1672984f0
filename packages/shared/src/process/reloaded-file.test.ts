import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { parseConfig } from '../config/config.ts'
import { createLogger } from '../logging/logger.ts'
import { readOperatorFile } from '../config/operator-file.ts'
import { followFile } from './reloaded-file.ts'

test('a changed file takes effect; an invalid or missing one leaves the last value', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-file-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'limit')
  /** As Kubernetes does it: the new content appears at once. */
  const replace = async (text: string) => {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }
  await replace('1')
  const lines: string[] = []
  using file = followFile({
    name: 'LIMIT_FILE',
    path,
    initial: 1,
    problems: [],
    parse: (text) => {
      if (!/^\d+$/.test(text)) throw new Error('must be a number')
      return Number(text)
    },
    logger: createLogger('test', 'info', { write: (line) => lines.push(line) }),
    intervalMs: 5,
  })

  await replace('2')
  await expect.poll(() => file.current).toBe(2)
  await replace('many')
  await expect.poll(() => lines.at(-1)).toContain('must be a number')
  expect(file.current).toBe(2)
  await rm(path)
  await expect.poll(() => lines.at(-1)).toContain('ENOENT')
  expect(file.current).toBe(2)
  await replace('many')
  await expect.poll(() => lines.at(-1)).toContain('must be a number')
  await replace('3')
  await expect.poll(() => file.current).toBe(3)
  expect(lines.filter((line) => line.includes('must be a number'))).toHaveLength(2)
})

test('a service starts with a file that it could not follow, and says what is wrong', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-file-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'limit')
  const parse = (text: string) => {
    if (!/^\d+$/.test(text)) throw new Error('must be a number')
    return Number(text)
  }
  const read = () =>
    parseConfig({ LIMIT_FILE: path }, (reader) => ({
      file: readOperatorFile(reader, 'LIMIT_FILE', parse, 7),
    })).file
  expect(read()).toMatchObject({ initial: 7, problems: ["the file can't be read (ENOENT)"] })
  await writeFile(path, 'many')
  const config = read()
  expect(config).toMatchObject({ initial: 7, problems: ['must be a number'] })
  if (config === undefined) throw new Error('the setting is set')

  const lines: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) })
  using file = followFile({ ...config, logger, intervalMs: 5 })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'invalid_setting',
    setting: 'LIMIT_FILE',
    problem: 'must be a number',
  })
  await writeFile(path, '3')
  await expect.poll(() => file.current).toBe(3)
})
