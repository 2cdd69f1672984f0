import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { consent } from '../../command/consent.ts'
import { memberName, requireMember } from '../../command/find-member.ts'
import { lines } from '../../output/blocks.ts'

export interface MembersRemoveFlags {
  readonly yes: boolean
}

export type MembersRemove = components['schemas']['RemovedMember']

export const membersRemove: Implementation<MembersRemoveFlags, [user: string], MembersRemove> = {
  async run(cli, { yes }, user) {
    const account = await cli.account()
    const member = await requireMember(cli, user)
    if (!yes) {
      await consent(cli, `Remove ${memberName(member)} (${member.role}) from ${account}?`)
    }
    const client = await cli.client()
    const params = { path: { account, user_id: member.user_id } }
    const init = { params, signal: cli.signal }
    return (await client.DELETE('/api/v1/accounts/{account}/members/{user_id}', init)).data
  },

  view: ({ message }) => [lines(message)],
}
