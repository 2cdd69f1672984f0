import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { Type, type Static } from 'typebox'

import { HttpProblem } from '../http/problem.ts'
import { about, Choice } from '../http/schemas/kinds.ts'
import { BuildId, VersionName } from './names.ts'

const BuildChoiceName = Choice(['newest build', 'newest published', 'asked for', 'current'], {
  title: 'BuildChoice',
  description:
    'Why a build was chosen: it is the newest build of the account, the newest published version ' +
    'of another account, the one that the request asks for, or the one that runs. Yanked builds ' +
    'are never chosen, only asked for',
})

const CHOICE_NAMES: Readonly<Record<number, Static<typeof BuildChoiceName>>> = {
  [BuildChoice.NEWEST_BUILD]: 'newest build',
  [BuildChoice.NEWEST_PUBLISHED]: 'newest published',
  [BuildChoice.ASKED_FOR]: 'asked for',
  [BuildChoice.CURRENT]: 'current',
}

/** The members of a response that say which build was chosen, and why. */
export const ChosenBuild = {
  version: Type.Optional(about(VersionName, 'Version that the build is published as')),
  build_choice: Type.Optional(BuildChoiceName),
}

/** The version of a build and why it was chosen, in the REST API. */
export function toChosenBuildJson(build: {
  readonly version?: string | undefined
  readonly buildChoice: BuildChoice
}) {
  const choice = CHOICE_NAMES[build.buildChoice]
  return {
    ...(build.version === undefined ? {} : { version: build.version }),
    ...(choice === undefined ? {} : { build_choice: choice }),
  }
}

/** The members of a deploy that name a build. */
export const AskedBuild = {
  build_id: Type.Optional(
    about(
      BuildId,
      'Build to deploy, or `current` for the one that runs. By default the newest build of the ' +
        "account's own agent, or the newest published version of another account's, and never a " +
        'yanked one',
    ),
  ),
  version: Type.Optional(
    about(VersionName, 'Version to deploy; with `build_id`, both must mean the same build'),
  ),
}

/** The build id that means the build that runs. */
const CURRENT = 'current'

/** Query parameters that name a build. */
export const BuildQuery = {
  build: Type.Optional(
    about(
      BuildId,
      'Id of a build, or `current` for the one that runs, for members only. By default the build ' +
        'that a deploy would choose',
    ),
  ),
  build_id: Type.Optional(about(BuildId, 'The same as `build`')),
  version: Type.Optional(about(VersionName, 'With `build`, both must mean the same build')),
}

/** Reads the parameters. Throws a 400 if they name two builds. */
export function askedBuild({
  build,
  build_id: buildId = build ?? '',
  version = '',
}: {
  readonly build?: string
  readonly build_id?: string
  readonly version?: string
}) {
  if (build !== undefined && build !== buildId) {
    const message = 'build and build_id must be the same build'
    const validationErrors = ['build: differs from build_id, which has the same meaning; send one']
    throw new HttpProblem(400, 'invalid_argument', message, { validationErrors })
  }
  return { isCurrent: buildId === CURRENT, buildId, version }
}
