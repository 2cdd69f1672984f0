import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { bundle } from '@slipway/cli/bundle'

import { median } from './support/compare.ts'

// `./dev bench cli` measures how long the command line takes to start, next to Node itself. The
// goals: 60 ms for a command that needs no server, and 120 ms for `--help`.
const RUNS = 40
const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-cli-'))
try {
  await bundle(folder)
  const program = join(folder, 'dist/slipway.js')
  const cases = {
    'node -e 0': ['-e', '0'],
    'slipway --version': [program, '--version'],
    'slipway --help': [program, '--help'],
    'slipway context list': [program, 'context', 'list'],
  }
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  }
  const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]))
  // In turn, so that a busy moment affects all of them.
  for (let run = 0; run <= RUNS; run += 1) {
    for (const [name, args] of Object.entries(cases)) {
      const start = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { env })
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.toString()}`)
      // The first run fills the compile cache.
      if (run > 0) times.get(name)?.push(performance.now() - start)
    }
  }
  const base = median(times.get('node -e 0') ?? [])
  console.log('                       median ms   ratio')
  for (const [name, all] of times) {
    const value = median(all)
    console.log(
      `${name.padEnd(22)} ${value.toFixed(1).padStart(9)} ${(value / base).toFixed(2).padStart(7)}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
