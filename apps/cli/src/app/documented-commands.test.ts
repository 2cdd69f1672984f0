import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { run, type Command, type RouteMap } from '@stricli/core'
import { expect, test } from 'vitest'

import type { ProcessContext } from '../command/process-context.ts'
import { applicationFor } from './application.ts'

// Every call of the command line in the documentation is one that it understands.

const ROOT = join(import.meta.dirname, '../../../..')
const files = globSync(['README.md', 'apps/cli/README.md', 'docs/guide/**/*.md'], { cwd: ROOT })
/** Synopses, and the names of commands. */
const SYNOPSIS = /[[\]…]|\.\.\.|\bCOMMAND\b/

/** The lines of fenced blocks, and the code in texts, that call `slipway`. */
function callsIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\\\n\s*/g, '')
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, , block = '']) => block)
  const inline = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`(slipway [^`]+)`/g)]
  const calls = blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/^\s*(- )?(run: )?/, ''))
    .filter((line) => /(^|[|(] |\$\(|&& )slipway (?!is\b)/.test(line))
  return [...calls, ...inline.map(([, call = '']) => call.replaceAll(/\s+/g, ' '))].filter(
    (call) => !SYNOPSIS.test(call.replace(/ # .*/, '')),
  )
}

/** The arguments of each call of `slipway`, as bash gives them. It finds no other program. */
function argumentsOf(line: string): string[][] {
  const script = `slipway() { printf '%s\\0' "$@" >&3; printf '\\n' >&3; }\n${line}\n`
  const { output } = spawnSync('/bin/bash', ['--norc', '-c', script], {
    env: { PATH: '/missing', HOME: '/missing' },
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [, , , calls = ''] = output
  return (calls ?? '')
    .split('\n')
    .slice(0, -1)
    .map((call) => call.split('\0').slice(0, -1))
}

type Target = Command<ProcessContext> | RouteMap<ProcessContext>

/** The same commands, which do nothing. */
function idle<Each extends Target>(target: Each): Each {
  if ('loader' in target) return { ...target, loader: () => Promise.resolve(() => undefined) }
  const map = target as RouteMap<ProcessContext>
  return {
    ...target,
    getRoutingTargetForInput: (input: string) => {
      const found = map.getRoutingTargetForInput(input)
      return found && idle(found)
    },
    getDefaultCommand: () => {
      const found = map.getDefaultCommand()
      return found && idle(found)
    },
  }
}

/** What the command line says against these arguments; empty if it would run a command. */
async function problemWith(args: readonly string[]): Promise<string> {
  const application = applicationFor(args)
  let said = ''
  const stderr = { write: (text: string) => (said += text) }
  await run({ ...application, root: idle(application.root) }, args, {
    process: { stdout: { write() {} }, stderr, env: {} },
  } as never)
  return said
}

test.each(files)('%s', async (file) => {
  for (const line of callsIn(file)) {
    const calls = argumentsOf(line)
    expect(calls, `${line}: no call`).not.toEqual([])
    for (const args of calls) expect([line, await problemWith(args)]).toEqual([line, ''])
  }
})

test('a call that is not understood is found', async () => {
  expect(argumentsOf(`echo x | slipway deploy --sett 'a b' # comment`)).toEqual([
    ['deploy', '--sett', 'a b'],
  ])
  expect(await problemWith(['deploy', '--sett', 'a b'])).toContain('no option --sett')
  expect(await problemWith(['deplyo'])).toContain('no command "deplyo"')
  expect(files.flatMap(callsIn).length).toBeGreaterThan(70)
})
