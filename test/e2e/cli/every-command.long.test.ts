import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { allCommands } from '@slipway/cli/all-commands'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { problemWithBody, problemWithJson } from '../../support/cli-json.ts'
import { CommandLine, type CallOptions, type Outcome } from '../../support/command-line.ts'
import { fromStack } from '../../support/environment.ts'
import { registerFaultyAgent, type FaultyAgent } from '../../support/faulty-agent.ts'
import { calls, type Call } from './every-command/calls.ts'
import { makeWorld, type World } from './every-command/world.ts'

// Every command succeeds in each way that users call it: its JSON has the documented schema, its
// rows in a pipe have no escape sequences, and a narrow terminal shows the same.

const COLUMNS = 40
const ESCAPE = '\u001b'
const streams = new Set(
  allCommands().flatMap(({ name, definition }) => (definition.json.lines ? [name] : [])),
)

let deployed: FaultyAgent
let users: Readonly<Record<'alice' | 'bob', CommandLine>>
beforeAll(async () => {
  deployed = await registerFaultyAgent('cli-every')
  users = { alice: await CommandLine.open('alice'), bob: await CommandLine.open('bob') }
})
afterAll(async () => {
  await deployed[Symbol.asyncDispose]()
  for (const user of Object.values(users ?? {})) await user[Symbol.asyncDispose]()
})

test('calls every command', () => {
  const called = calls.map(({ command }) => command)
  expect(called.toSorted()).toEqual(
    allCommands()
      .map(({ name }) => name)
      .toSorted(),
  )
})

describe.each(['json', 'pipe', 'terminal'] as const)('%s', (way) => {
  let world: World
  let visitor: CommandLine
  beforeAll(async () => {
    world = await makeWorld(deployed)
    visitor = await CommandLine.open()
  })
  afterAll(async () => await visitor[Symbol.asyncDispose]())

  test.each(calls)('$command', async (call) => {
    const slipway = call.as === 'visitor' ? visitor : users[call.as ?? 'alice']
    const args = [...call.command.split(' '), ...(call.args?.(world) ?? [])]
    if (way === 'terminal') return await onTerminal(slipway, call, args)
    if (call.asks !== undefined) args.push('--yes')
    if (way === 'json') args.push('--json')
    const outcome = await piped(slipway, call, args)
    expect({ ...outcome, args }).toMatchObject({ code: 0 })
    if (way === 'json') return await expectSchema(call, outcome.stdout)
    expect(outcome.stdout).toMatch(call.shows)
    expect(outcome.stdout).not.toContain(ESCAPE)
  })
})

function optionsOf({ cwd }: Call): CallOptions {
  const env = {
    SLIPWAY_REGISTRY: fromStack('SLIPWAY_REGISTRY'),
    SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'],
  }
  return cwd === undefined ? {} : { cwd, env }
}

async function onTerminal(
  slipway: CommandLine,
  call: Call,
  args: readonly string[],
): Promise<void> {
  const options = { ...optionsOf(call), columns: COLUMNS }
  using terminal = await slipway.onTerminal(args, options)
  await call.during?.(terminal)
  if (call.asks !== undefined) {
    await terminal.shows(call.asks)
    terminal.type('y')
  }
  const code = await terminal.ended
  expect({ code, text: terminal.unwrapped }).toMatchObject({
    code: 0,
    text: expect.stringMatching(call.shows),
  })
}

/** Runs a command whose results go to a pipe, or to a file if the user must see its code. */
async function piped(slipway: CommandLine, call: Call, args: readonly string[]): Promise<Outcome> {
  if (call.during === undefined) return await slipway.run(args, optionsOf(call))
  using terminal = await slipway.shell(['sh', '-c', `slipway ${args.join(' ')} > stdout`])
  await call.during(terminal)
  const code = await terminal.ended
  const stdout = await readFile(join(slipway.home, 'stdout'), 'utf8')
  return { code, stdout, stderr: terminal.text }
}

async function expectSchema({ command, status, bodyOf }: Call, stdout: string): Promise<void> {
  const isStream = streams.has(command)
  const texts = isStream ? stdout.trimEnd().split('\n') : [stdout]
  expect(texts).not.toEqual([''])
  for (const text of texts) {
    const value: unknown = JSON.parse(text)
    const problem = await problemWithJson(command, value, status)
    expect(problem ?? (bodyOf && (await problemWithBody(bodyOf, value)))).toBeUndefined()
  }
}
