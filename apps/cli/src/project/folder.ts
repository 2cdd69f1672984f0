import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { TypedPositionalParameter } from '@stricli/core'

import { SPEC_FILE } from '../command/agent-reference.ts'
import type { ProcessContext } from '../command/process-context.ts'
import { usageError } from '../errors/cli-error.ts'

/** The positional parameter of commands for an agent's folder. */
export const folderParameter: TypedPositionalParameter<string | undefined, ProcessContext> = {
  parse: String,
  placeholder: 'folder',
  brief: `The folder with the ${SPEC_FILE}; by default, the current one`,
  optional: true,
}

/** The folder of an agent, which has a spec. */
export function agentFolder(given = '.'): string {
  const folder = resolve(given)
  if (!existsSync(join(folder, SPEC_FILE)))
    throw usageError(
      `${folder} has no ${SPEC_FILE}, the spec of an agent`,
      'slipway init, which writes one for the project in the folder, or starts a new agent',
    )
  return folder
}
