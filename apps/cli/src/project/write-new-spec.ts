import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { hasProject, newSpec } from '@slipway/agent-image'

import { SPEC_FILE } from '../command/agent-reference.ts'
import { CliError } from '../errors/cli-error.ts'

/** What a spec for a project says, and what to do next. */
interface WrittenSpec {
  name: string
  folder: string
  files: string[]
  notes: string[]
  next: string[]
}

/** Writes the spec of the project in a folder; undefined if there is none. */
export async function writeNewSpec(
  folder: string,
  nameOf: () => string,
): Promise<WrittenSpec | undefined> {
  if (existsSync(join(folder, SPEC_FILE)))
    throw new CliError(`${folder} already has ${SPEC_FILE}`, {
      code: 'files_exist',
      why: 'files that exist are never replaced',
      next: 'slipway push; for a new agent, name another folder: slipway init TEMPLATE FOLDER',
    })
  if (!hasProject(folder)) return undefined
  const name = nameOf()
  const spec = await newSpec(folder, name)
  await writeFile(join(folder, SPEC_FILE), spec.text, { flag: 'wx' })
  return {
    name,
    folder,
    files: [SPEC_FILE],
    notes: [...spec.notes],
    next: ['slipway push', `slipway deploy ${name}`],
  }
}
