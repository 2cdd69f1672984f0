import type { Static } from 'typebox'

import type { Implementation } from '../../command/implementation.ts'
import { lines } from '../../output/blocks.ts'
import type { schema } from './result.ts'

export type ContextUse = Static<typeof schema>

export const contextUse: Implementation<object, [name: string], ContextUse> = {
  run: async (cli, _flags, name) => ({ context: await cli.contexts.use(name) }),
  view: ({ context }) => [lines(`commands now use ${context}`)],
}
