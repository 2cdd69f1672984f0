import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { safeServerUrl } from '../../config/server-url.ts'
import { hint, lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export interface ContextAddFlags {
  readonly use: boolean
  readonly insecure: boolean
  readonly registry?: string
  readonly base?: string
}

export type ContextAdd = Static<typeof schema>

export const contextAdd: Implementation<ContextAddFlags, [name: string, url: string], ContextAdd> =
  {
    async run(cli, { use, insecure, registry, base }, name, address) {
      const url = safeServerUrl(address, { insecure })
      const { contexts } = await cli.contexts.list()
      const known = contexts.find((each) => each.name === name && each.url === url)
      const added = { ...known, name, url, ...(registry && { registry }), ...(base && { base }) }
      await cli.contexts.put(added, { use })
      return {
        context: name,
        url,
        ...(added.registry && { registry: added.registry }),
        ...(added.base && { base: added.base }),
      }
    },

    view: ({ context, url, registry, base }) => [
      lines(
        `added ${context}: ${url}`,
        ...(registry === undefined ? [] : [`images are pushed to ${registry}`]),
        ...(base === undefined ? [] : [`images of projects are built on ${base}`]),
      ),
      hint(`next: slipway login --context ${context}`),
    ],
  }
