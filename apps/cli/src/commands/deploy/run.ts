import { changesNothing } from '@slipway/words/plan'
import type { Static } from 'typebox'

import type { AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import { consent, requireConsent, type ConsentFlags } from '../../command/consent.ts'
import type { Implementation } from '../../command/implementation.ts'
import { changeView } from '../../deployments/change-view.ts'
import { changeExitCodes, executeChange, type WaitFlags } from '../../deployments/change.ts'
import {
  deployRequest,
  type DeployRequest,
  type RequestFlags,
} from '../../deployments/deploy-request.ts'
import { planDeploy, type PlannedDeploy } from '../../deployments/plan-deploy.ts'
import { imageLines, planView } from '../../deployments/plan-view.ts'
import { pushedBuild } from '../../deployments/pushed-build.ts'
import type { SecretSources } from '../../deployments/read-secrets.ts'
import { rememberSource } from '../../deployments/source-account.ts'
import { exitCodes } from '../../errors/exit-code.ts'
import { fields, lines, type Block } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export interface DeployFlags extends ConsentFlags, RequestFlags, SecretSources, WaitFlags {
  readonly plan: boolean
}

export type DeployOutcome = Static<typeof schema>

export const deploy: Implementation<DeployFlags, [agent?: AgentReference], DeployOutcome> = {
  async run(cli, flags, given) {
    if (!flags.plan) requireConsent(cli, flags, 'use --yes, or --plan to see what would change')
    const request = await requestOf(cli, given, flags)
    const planned = await planDeploy(cli, request, flags)
    const { body, validation } = planned
    const { account, name } = body
    if (flags.plan) return { status: 'planned', account, validation }
    const isAsked = !flags.yes && !changesNothing(validation.plan ?? [])
    cli.printer.explain(plannedView(planned), { isAsked })
    if (isAsked) await agree(cli, planned)
    const client = await cli.client()
    const change = await executeChange(
      cli,
      { account, name },
      flags,
      async () => (await client.POST('/api/v1/deploy', { body })).data,
      validation.plan,
    )
    await rememberSource(cli, body)
    return { ...change, validation }
  },

  view(outcome, cli) {
    const { status, account, validation, result } = outcome
    if (status === 'planned' || result === undefined)
      return plannedView({ body: { account, name: validation.name }, validation })
    return changeView({ ...outcome, status, result }, cli)
  },

  exitCode: ({ status }) => (status === 'planned' ? exitCodes.ok : changeExitCodes[status]),
}

/** The request, which names the build that the folder has pushed if the newest is another one. */
async function requestOf(
  cli: Cli,
  given: AgentReference | undefined,
  flags: DeployFlags,
): Promise<DeployRequest> {
  const request = await deployRequest(cli, given, flags)
  const { build_id, version, source_account } = request
  if ((build_id ?? version ?? source_account) !== undefined) return request
  const pushed = await pushedBuild(cli, process.cwd(), request)
  return pushed === undefined ? request : { ...request, build_id: pushed }
}

/** What a deploy would change, and what to know before it. */
function plannedView({ body, validation }: PlannedDeploy): readonly Block[] {
  const { name, build_id: build, version, build_choice: choice } = validation
  const { plan = [], images = [], warnings = [] } = validation
  const notes = [version, choice].filter((each) => each !== undefined)
  const notices = [
    ...imageLines(images),
    ...warnings.map((warning) => ({ text: `warning: ${warning}`, style: 'warning' as const })),
  ]
  return [
    fields({
      agent: name,
      account: body.account,
      build: notes.length === 0 ? build : `${build} (${notes.join(', ')})`,
    }),
    ...planView(plan),
    ...(notices.length === 0 ? [] : [lines(...notices)]),
  ]
}

async function agree(cli: Cli, { body, validation }: PlannedDeploy): Promise<void> {
  const build = validation.version ?? validation.build_id
  await consent(cli, `Deploy ${body.name} (${build}) to ${body.account}?`)
}
