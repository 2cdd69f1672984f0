import { buildAgent, formatSize, pushAgent, registrationOf } from '@slipway/agent-image'
import type { Static } from 'typebox'

import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { currentVersion } from '../../config/version.ts'
import { asOptions } from '../../deployments/as-options.ts'
import { rememberPush } from '../../deployments/pushed-build.ts'
import { hint, lines, type Text } from '../../output/blocks.ts'
import { LiveLines } from '../../output/live-lines.ts'
import { buildOptions, rememberRegistry, type BuildFlags } from '../../project/build-options.ts'
import { explainedBuild } from '../../project/explained-build.ts'
import { agentFolder } from '../../project/folder.ts'
import { imageResults, imageTable } from '../../project/image-results.ts'
import { deployCommand, isOlderBuild, otherWarnings } from './deploy-command.ts'
import type { schema } from './result.ts'

const NOT_REGISTERED = 'no build was registered; what the registry has already is not sent again'

/** The options of `push`. */
export interface PushFlags extends BuildFlags {
  readonly attest: boolean
}

export type PushResult = Static<typeof schema>

export const push: Implementation<PushFlags, [folder?: string], PushResult> = {
  async run(cli, flags, given) {
    const folder = agentFolder(given)
    const options = await buildOptions(cli, folder, flags)
    // Both fail early: a push may take minutes.
    const [client, account] = await Promise.all([cli.client(), cli.account()])
    const built = await explainedBuild(async () => {
      const images = await buildAgent(folder, options)
      const attest = { directory: folder, version: await currentVersion() }
      const pushed = await pushAgent(images, {
        ...options,
        attest: flags.attest ? attest : undefined,
        onUpload: uploads(cli),
      })
      return { ...images, pushed }
    }, NOT_REGISTERED)
    const body = await registrationOf(folder, built)
    const { data } = await client.POST('/api/v1/agents/{account}/{name}/register', {
      params: { path: { account, name: built.name } },
      body,
      signal: cli.signal,
    })
    await rememberRegistry(cli, folder, flags)
    const { name, build_id, validation_warnings, warnings = [] } = data
    const isOlder = isOlderBuild({ build_id, warnings })
    await rememberPush(cli, folder, { account, name, build_id, isOlder })
    return {
      account,
      name,
      build_id,
      images: imageResults(built.images),
      attestations: built.pushed.flatMap(({ reference, attestations = [] }) =>
        attestations.map((each) => ({ reference, ...each })),
      ),
      validation_warnings: validation_warnings.map(({ field, message }) => ({ field, message })),
      warnings,
    }
  },

  view: ({ account, name, build_id, images, attestations = [], ...others }) => [
    lines(`registered ${account}/${name}: build ${build_id}`),
    imageTable(images),
    ...(attestations.length === 0
      ? []
      : [lines('attached to the images: their SBOM and provenance, as referrers')]),
    ...warningLines(
      others.validation_warnings,
      otherWarnings({ build_id, warnings: others.warnings }),
    ),
    hint(`next: ${deployCommand({ name, build_id, warnings: others.warnings })}`),
  ],
}

function warningLines(
  problems: PushResult['validation_warnings'],
  warnings: PushResult['warnings'],
) {
  const all = [
    ...problems.map(({ field, message }) => `${field}: ${message}`),
    ...warnings.map(asOptions),
  ]
  return all.length === 0
    ? []
    : [lines(...all.map((text) => ({ text: `warning: ${text}`, style: 'warning' as const })))]
}

/** A line for each image on a terminal. A pipe gets none: the result says what was pushed. */
function uploads({ printer }: Cli) {
  const live = new LiveLines(printer)
  const shown = new Map<string, Text>()
  return ({ reference, doneBytes, totalBytes }: Upload) => {
    if (!printer.hasLiveProgress) return
    const text = `pushing ${formatSize(doneBytes)} of ${formatSize(totalBytes)}  ${reference}`
    shown.set(reference, { text })
    live.update([...shown.values()])
  }
}

interface Upload {
  readonly reference: string
  readonly doneBytes: number
  readonly totalBytes: number
}
