import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'

import { afterAll, expect, test } from 'vitest'

import { SettingsFile } from './settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['unquoted', '{"c": {"access_token": SECRET}}', "Unexpected token 'S'"],
  ['not ended', '{"c": {"access_token": "SECRET', 'position 30'],
])('says what is wrong with a file whose token is %s, and quotes none of it', async (...row) => {
  const [, text, problem] = row
  writeFileSync(join(folder, 'tokens.json'), text)
  const file = new SettingsFile(folder, 'tokens.json')
  const error = await file.read().catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'broken_settings' })
  expect(inspect(error)).toContain(problem)
  expect(inspect(error)).not.toContain('SECRET')
})
