import { ApiError, type Schemas } from '@slipway/client'

import type { Cli } from '../command/cli.ts'
import type { DeployRequest } from './deploy-request.ts'
import { readRevisions } from './read-revisions.ts'

type Revision = Schemas['Revision']

/** How many revisions are looked at. */
const LOOKED_AT = 50

/** What the history says against the build that a deploy takes if it names none. */
export async function historyWarnings(
  cli: Cli,
  request: DeployRequest,
  build: string,
): Promise<readonly string[]> {
  if (request.build_id !== undefined || request.version !== undefined) return []
  try {
    const { revisions } = await readRevisions(cli, request, LOOKED_AT)
    return neverReadyWarnings(revisions, build)
  } catch (error) {
    // Most often because it is not deployed yet.
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Warns of a build that was never ready, if a rollback has replaced it. */
export function neverReadyWarnings(revisions: readonly Revision[], build: string): string[] {
  const live = revisions.find((each) => each.live)
  if (live?.rolled_back_to === undefined || live.build_id === build) return []
  const tried = revisions.filter((each) => each.build_id === build)
  const [last] = tried
  if (last === undefined || tried.some((each) => each.was_ready)) return []
  return [
    `build ${build} never became ready in revision ${last.revision}, and a rollback has replaced ` +
      `it: to keep to revision ${live.revision}, deploy with --build current`,
  ]
}
