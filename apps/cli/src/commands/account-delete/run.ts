import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { deleteAfterAsking, type DeletionFlags } from '../../command/deletion.ts'
import { replaceAccountInContext } from '../../command/replace-account.ts'
import { lines } from '../../output/blocks.ts'

export type AccountDelete = components['schemas']['DeletedAccount']

export const accountDelete: Implementation<DeletionFlags, [name: string], AccountDelete> = {
  async run(cli, flags, account) {
    const client = await cli.client()
    const result = await deleteAfterAsking(cli, flags, {
      send: async (dryRun) => {
        const params = { path: { account }, query: { dry_run: dryRun } }
        const init = { params, signal: cli.signal }
        return (await client.DELETE('/api/v1/accounts/{account}', init)).data
      },
      describe: (content) => [`this would delete ${contentOf(content)}`],
      question: `Delete the account ${account}?`,
    })
    if (!result.dry_run) await replaceAccountInContext(cli, account, undefined)
    return result
  },

  view: (result) => [
    lines(`${result.dry_run ? 'this would delete' : 'deleted'} ${contentOf(result)}`),
  ],
}

function contentOf({ account, deleted }: AccountDelete): string {
  const { agent_count, build_count, member_count } = deleted
  return (
    `${account} with ${count(agent_count, 'agent')}, ${count(build_count, 'build')} and ` +
    `${count(member_count, 'membership')}`
  )
}

function count(value: number, what: string): string {
  return `${value} ${what}${value === 1 ? '' : 's'}`
}
