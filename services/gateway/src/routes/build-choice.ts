import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { Type, type Static } from 'typebox'

import { about, Choice } from '../http/schemas.ts'
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

/** Query parameters that name a build. */
export const BuildQuery = {
  build: Type.Optional(about(BuildId, 'By default the build that a deploy would choose')),
  version: Type.Optional(about(VersionName, 'With `build`, both must mean the same build')),
}
