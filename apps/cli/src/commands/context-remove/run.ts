import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type ContextRemove = Static<typeof schema>

export const contextRemove: Implementation<object, [name: string], ContextRemove> = {
  async run(cli, _flags, name) {
    await cli.contexts.remove(name)
    await cli.tokens.delete(name)
    return { context: name }
  },

  view: ({ context }) => [lines(`removed ${context}`)],
}
