import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../logging/logger.ts'
import { renderMetrics, startTelemetry } from '../telemetry/index.ts'
import { UsedFiles } from './used-files.ts'

test('reads a changed file, keeps the last valid value, and says once what is wrong', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-used-'))
  const path = join(directory, 'secret.json')
  const lines: string[] = []
  using files = new UsedFiles<unknown>({
    setting: 'secret_file',
    read: (each) => JSON.parse(readFileSync(each, 'utf8')),
    logger: createLogger('test', 'info', { write: (line) => lines.push(line) }),
  })
  expect(files.read(path)).toBeUndefined()
  writeFileSync(path, '1')
  expect(files.read(path)).toBe(1)
  writeFileSync(path, '2')
  expect(files.read(path)).toBe(2)
  writeFileSync(path, '{"auths":')
  expect(files.read(path)).toBe(2)
  expect(files.read(path)).toBe(2)
  rmSync(directory, { recursive: true })
  expect(files.read(path)).toBe(2)
  const problems = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(problems.map(({ problem }) => String(problem))).toEqual([
    expect.stringContaining('ENOENT'),
    expect.stringContaining('JSON'),
    expect.stringContaining('ENOENT'),
  ])
  expect(problems[0]).toMatchObject({ event: 'invalid_setting', setting: 'secret_file', path })
})

test('the metric counts what is not valid now, though no file is used meanwhile', async () => {
  await using _telemetry = await startTelemetry('test', {})
  const directory = mkdtempSync(join(tmpdir(), 'slipway-used-'))
  using _directory = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
  const path = join(directory, 'secret.json')
  using files = new UsedFiles<unknown>({
    setting: 'counted_file',
    read: (each) => JSON.parse(readFileSync(each, 'utf8')),
    logger: createLogger('test', 'info', { write: () => {} }),
  })
  const counted = async () => {
    const text = (await renderMetrics()) ?? ''
    return /^slipway_invalid_settings\{setting="counted_file"\} (\d+)/m.exec(text)?.[1]
  }
  files.read(path)
  expect(await counted()).toBe('1')
  writeFileSync(path, '1')
  expect(await counted()).toBe('0')
  writeFileSync(path, '{')
  expect(await counted()).toBe('1')
})
