import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { managerUsedIn, withCommandsOf } from './package-manager.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-managers-'))
  for (const [folder, lockfile] of [
    ['pnpm', 'pnpm-lock.yaml'],
    ['yarn', 'yarn.lock'],
    ['bun', 'bun.lock'],
    ['npm', 'package-lock.json'],
  ] as const) {
    mkdirSync(join(root, folder, 'agents', 'one'), { recursive: true })
    writeFileSync(join(root, folder, lockfile), '')
  }
  mkdirSync(join(root, 'none'))
})
afterAll(() => rmSync(root, { recursive: true }))

test.each(['pnpm', 'yarn', 'bun', 'npm'] as const)('finds %s by a lockfile above', (manager) => {
  const env = { npm_config_user_agent: 'pnpm/12.0.0 npm/? node/v24.0.0 linux x64' }
  expect(managerUsedIn(join(root, manager, 'agents', 'one'), env)).toBe(manager)
  expect(managerUsedIn(join(root, manager, 'agents', 'not-yet-there'), env)).toBe(manager)
})

test.each([
  ['bun/1.3.0 npm/? node/v24.0.0 linux x64', 'bun'],
  ['yarn/4.9.0 npm/? node/v24.0.0 linux x64', 'yarn'],
  ['other/1.0.0', 'npm'],
  [undefined, 'npm'],
] as const)('without a lockfile, takes what runs it: %s', (agent, manager) => {
  expect(managerUsedIn(join(root, 'none'), { npm_config_user_agent: agent })).toBe(manager)
})

test('writes the commands of the manager', () => {
  const text = 'npm install\nnpm test\nnpm start'
  expect(withCommandsOf('npm', text)).toBe(text)
  expect(withCommandsOf('pnpm', text)).toBe('pnpm install\npnpm test\npnpm start')
  expect(withCommandsOf('bun', text)).toBe('bun install\nbun run test\nbun run start')
})
