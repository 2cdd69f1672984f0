import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { checkSpec, type SpecProblem } from '@slipway/agent-spec'
import { ApiError } from '@slipway/client'
import type { Static } from 'typebox'
import { parse } from 'yaml'

import { SPEC_FILE } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { pushedBuild } from '../../deployments/pushed-build.ts'
import { exitCodes } from '../../errors/exit-code.ts'
import { hint, lines, type Block, type Text } from '../../output/blocks.ts'
import { agentFolder } from '../../project/folder.ts'
import type { schema } from './result.ts'

export interface ValidateFlags {
  readonly strict: boolean
  readonly server: boolean
}

export type ValidateResult = Static<typeof schema>
type Problem = ValidateResult['problems'][number]

export const validate: Implementation<ValidateFlags, [folder?: string], ValidateResult> = {
  async run(cli, { strict, server }, given) {
    const folder = agentFolder(given)
    const path = join(folder, SPEC_FILE)
    const text = await readFile(path, 'utf8')
    // `slipway push` builds the images of containers that have only `build`.
    const problems = checkSpec(text, { allowsBuilds: true }).map(problemOf)
    const isValid = problems.every(({ severity }) => severity === 'warning')
    return {
      file: relative(process.cwd(), path),
      is_valid: isValid && !(strict && problems.length > 0),
      problems,
      ...(server && isValid && { server: await checkedByServer(cli, folder, text) }),
    }
  },

  view: ({ file, problems, is_valid, server }) => [
    lines(...problems.map((problem) => problemLine(file, problem))),
    ...serverBlocks(server),
    ...(problems.length === 0 && server === undefined ? [lines(`${file} is valid`)] : []),
    ...(is_valid && server === undefined ? [hint('next: slipway push')] : []),
  ],

  exitCode: ({ is_valid, server }) =>
    is_valid && server?.valid !== false ? exitCodes.ok : exitCodes.failed,
}

function problemOf({ severity, field, message, position }: SpecProblem): Problem {
  return { severity, field, message, ...position }
}

/** `FILE:LINE:COLUMN`, which terminals and editors open. */
function problemLine(file: string, { severity, field, message, line, column }: Problem) {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const kind: Text = { text: severity, style: severity === 'error' ? 'bad' : 'warning' }
  return [`${place}: `, kind, ` ${field}${field && ': '}${message}`]
}

/** Lets the server check a deploy, with the values that the deployment has. */
async function checkedByServer(
  cli: Cli,
  folder: string,
  spec: string,
): Promise<NonNullable<ValidateResult['server']>> {
  const { name } = parse(spec, { maxAliasCount: 0 }) as { name: string }
  const [client, account] = await Promise.all([cli.client(), cli.account()])
  const build_id = await pushedBuild(cli, folder, { account, name })
  try {
    const { data } = await client.POST('/api/v1/deploy/validate', {
      params: { query: { dry_run: 'server' } },
      body: { account, name, ...(build_id !== undefined && { build_id }) },
      signal: cli.signal,
    })
    return { valid: true, problems: [], warnings: data.warnings ?? [] }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const problems = error.problems.map(({ field, message }) => `${field}: ${message}`)
    return {
      valid: false,
      problems: problems.length > 0 ? problems : [error.detail],
      warnings: [],
    }
  }
}

function serverBlocks(server: ValidateResult['server']): Block[] {
  if (server === undefined) return []
  const { valid, problems, warnings } = server
  return [
    lines(
      valid ? 'the server would accept a deploy' : 'the server would reject a deploy',
      ...problems.map((text): Text => ({ text: `error: ${text}`, style: 'bad' })),
      ...warnings.map((text): Text => ({ text: `warning: ${text}`, style: 'warning' })),
    ),
  ]
}
