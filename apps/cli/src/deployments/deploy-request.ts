import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../command/agent-reference.ts'
import type { Cli } from '../command/cli.ts'
import { readInput } from '../command/read-input.ts'
import { CliError } from '../errors/cli-error.ts'
import { parseValue, splitAssignment } from './assignments.ts'

/** Which build is deployed, and with which settings. */
export interface RequestFlags {
  readonly build?: string
  readonly schedule?: readonly string[]
  readonly interface?: readonly string[]
  readonly set?: readonly string[]
  readonly overrides?: string
}

/** The body of a deploy without its credentials. */
export type DeployRequest = Omit<Schemas['DeployRequest'], 'user_credentials'>

/** Makes the body of a deploy: into the current account, of an agent of this account or another. */
export async function deployRequest(
  cli: Cli,
  given: AgentReference | undefined,
  flags: RequestFlags,
): Promise<DeployRequest> {
  const overrides = await overridesOf(cli, flags)
  const schedules = Object.fromEntries(
    (flags.schedule ?? []).map((text) => splitAssignment(text, '--schedule')),
  )
  const [account, agent] = [await cli.account(), await agentOf(cli, given)]
  return {
    account,
    name: agent.name,
    ...(agent.account !== account && { source_account: agent.account }),
    ...(flags.build !== undefined && { build_id: flags.build }),
    ...(given?.version !== undefined && { version: given.version }),
    ...(flags.interface !== undefined && { interfaces: [...flags.interface] }),
    ...(Object.keys(schedules).length > 0 && { schedules }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
  }
}

/** Those of the file, and those of `--set`, which have precedence. */
async function overridesOf(
  cli: Cli,
  { set = [], overrides }: RequestFlags,
): Promise<Record<string, unknown>> {
  const ofFile = overrides === undefined ? {} : await readOverrides(cli, overrides)
  const ofOptions = set.map((text) => {
    const [path, value] = splitAssignment(text, '--set')
    return [path, parseValue(value, path)] as const
  })
  return { ...ofFile, ...Object.fromEntries(ofOptions) }
}

async function readOverrides(cli: Cli, path: string): Promise<object> {
  const instead = 'use --set PATH=VALUE, or a pipe'
  const text = await readInput(cli, { option: '--overrides', path, instead })
  const { parse } = await import('yaml')
  let why = 'it is not a mapping'
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 0 })
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch (error) {
    why = (error as Error).message
  }
  throw new CliError(`${path} has no overrides`, {
    code: 'unreadable_overrides',
    why,
    next: 'write YAML or JSON, one `path: value` for each override',
  })
}
