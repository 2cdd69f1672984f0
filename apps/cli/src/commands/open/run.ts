import type { Static } from 'typebox'

import { openBrowser } from '../../auth/open-browser.ts'
import type { Implementation } from '../../command/define.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export interface OpenFlags {
  readonly guides: boolean
  readonly browser: boolean
}

export type OpenPage = Static<typeof schema>

export const open: Implementation<OpenFlags, [], OpenPage> = {
  async run(cli, { guides, browser }) {
    const { url: server } = await cli.server()
    const url = `${server}${guides ? '/docs/guide' : '/docs'}`
    const isForPerson = browser && cli.printer.isTerminal
    return { url, opened: isForPerson && openBrowser(url, cli.env) }
  },

  view: ({ url }) => [lines(url)],
}
