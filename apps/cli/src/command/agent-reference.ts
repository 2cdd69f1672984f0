import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { TypedPositionalParameter } from '@stricli/core'

import { CliError, usageError } from '../errors/cli-error.ts'
import type { Cli } from './cli.ts'
import { proposals } from './parameters.ts'
import type { ProcessContext } from './process-context.ts'

/** An agent as the user names it: `NAME`, `ACCOUNT/NAME` or `NAME@VERSION`. */
export interface AgentReference {
  readonly account: string | undefined
  readonly name: string
  readonly version: string | undefined
}

/** An agent whose account is known. */
export interface Agent {
  readonly account: string
  readonly name: string
}

const REFERENCE = /^(?:([^/@\s]+)\/)?([^/@\s]+)(?:@([^/@\s]+))?$/

/** The name of the spec in an agent's folder. */
export const SPEC_FILE = 'astroai.yml'

/** Parses `[ACCOUNT/]NAME[@VERSION]`. */
export function parseAgent(text: string): AgentReference {
  const [, account, name, version] = REFERENCE.exec(text) ?? []
  if (name === undefined)
    throw new Error(`"${text}" is not the name of an agent; write NAME or ACCOUNT/NAME`)
  return { account, name, version }
}

/** Parses `[ACCOUNT/]NAME`. */
export function parseAgentName(text: string): AgentReference {
  const reference = parseAgent(text)
  if (reference.version !== undefined) throw new Error(`"${text}" must not have a version`)
  return reference
}

/** The positional parameter of commands for one agent. */
export const agentParameter: TypedPositionalParameter<AgentReference | undefined, ProcessContext> =
  {
    parse: parseAgentName,
    placeholder: 'agent',
    brief: 'NAME or ACCOUNT/NAME; by default, the agent in the spec of this folder',
    optional: true,
    proposeCompletions: proposals('agents'),
  }

/** The agent that the user names, or that of the spec in the current folder. */
export async function agentOf(cli: Cli, given: AgentReference | undefined): Promise<Agent> {
  const name = given?.name ?? (await nameInSpec(process.cwd()))
  if (name === undefined)
    throw usageError('no agent is named', `write its name, or go to the folder of its ${SPEC_FILE}`)
  return { account: given?.account ?? (await cli.account()), name }
}

/**
 * The agent of the spec in the current folder. Undefined if the folder has none, or its spec is not
 * valid.
 */
export async function agentOfFolder(cli: Cli): Promise<Agent | undefined> {
  const name = await nameInSpec(process.cwd()).catch(() => undefined)
  return name === undefined ? undefined : { account: await cli.account(), name }
}

/** The name in the agent spec of a folder. Undefined if the folder has none. */
async function nameInSpec(folder: string): Promise<string | undefined> {
  const path = join(folder, SPEC_FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    return undefined
  }
  const { parse } = await import('yaml')
  try {
    const { name } = parse(text, { maxAliasCount: 0 }) as { name?: unknown }
    if (typeof name === 'string') return name
  } catch {
    // `slipway validate` explains it.
  }
  throw new CliError(`${path} has no name of an agent`, {
    code: 'spec_without_name',
    next: 'slipway validate',
  })
}
