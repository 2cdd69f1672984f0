import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger } from '@slipway/shared/logger'
import { expect, test } from 'vitest'

import { PullSecretFiles } from './pull-secret-files.ts'

test('reads a changed file, and keeps the last valid content', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-pull-'))
  const path = join(directory, '.dockerconfigjson')
  const files = new PullSecretFiles(createLogger('test', 'silent'))
  const auths = (user: string) => ({ 'registry.example': { auth: user } })
  expect(files.read(path)).toEqual({})
  writeFileSync(path, JSON.stringify({ auths: auths('first') }))
  expect(files.read(path)).toEqual(auths('first'))
  writeFileSync(path, JSON.stringify({ auths: auths('second') }))
  expect(files.read(path)).toEqual(auths('second'))
  writeFileSync(path, '{"auths":')
  expect(files.read(path)).toEqual(auths('second'))
  rmSync(directory, { recursive: true })
  expect(files.read(path)).toEqual(auths('second'))
})
