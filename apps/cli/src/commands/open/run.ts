import type { Static } from 'typebox'

import { openBrowser } from '../../auth/open-browser.ts'
import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { usageError } from '../../errors/cli-error.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

const DOCS = { api: '/docs', guides: '/docs/guide' } as const

export interface OpenFlags {
  readonly page?: keyof typeof DOCS
  readonly browser: boolean
}

export type OpenPage = Static<typeof schema>

export const open: Implementation<OpenFlags, [agent?: AgentReference], OpenPage> = {
  async run(cli, { page, browser }, given) {
    if (page !== undefined && given !== undefined)
      throw usageError('--page opens no page of an agent', 'name an agent, or use --page')
    const { url: server } = await cli.server()
    const path = page === undefined ? await consolePath(cli, given) : DOCS[page]
    const url = `${server}${path}`
    const isForPerson = browser && cli.printer.isTerminal
    return { url, opened: isForPerson && openBrowser(url, cli.env) }
  },

  view: ({ url }) => [lines(url)],
}

/** The page of an agent, or the first page, which leads to `/docs` if there is no console. */
async function consolePath(cli: Cli, given: AgentReference | undefined): Promise<string> {
  if (given === undefined) return '/'
  const { account, name } = await agentOf(cli, given)
  return `/accounts/${encodeURIComponent(account)}/deployments/${encodeURIComponent(name)}`
}
