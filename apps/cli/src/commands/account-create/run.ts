import type { components } from '@slipway/client'

import type { Implementation } from '../../command/implementation.ts'
import { hint, lines } from '../../output/blocks.ts'

export type AccountCreate = components['schemas']['CreatedAccount']

export const accountCreate: Implementation<object, [name: string], AccountCreate> = {
  async run(cli, _flags, name) {
    const client = await cli.client()
    return (await client.POST('/api/v1/accounts', { body: { name }, signal: cli.signal })).data
  },

  view: ({ name, role }) => [
    lines(`created ${name}; you are its ${role}`),
    hint(`next: slipway account switch ${name}`),
  ],
}
