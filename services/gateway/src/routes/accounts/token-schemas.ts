import { Type } from 'typebox'

import { about, AnyText, Choice, Count, NamedText, Time } from '../../http/schemas/kinds.ts'
import { AccountName, UserId } from '../names.ts'
import { createdTokenExample, tokenExample, tokenRequestExample } from './token-examples.ts'

const TokenId = NamedText('MachineTokenId', 'Id of a machine token: not a secret', {
  format: 'uuid',
  examples: [tokenExample.id],
})

const TokenName = NamedText(
  'MachineTokenName',
  'What a machine token is for: letters, digits, spaces and ._/-; unique in the account',
  {
    maxLength: 64,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9 ._/-]*[A-Za-z0-9])?$',
    examples: [tokenExample.name],
  },
)

const TokenRole = Choice(['admin', 'member'], {
  title: 'MachineTokenRole',
  description:
    'Role of a machine token. It acts as a member while its creator is one: never with more ' +
    'rights than theirs',
})

const members = {
  id: TokenId,
  name: TokenName,
  role: TokenRole,
  created_by: about(UserId, 'The user who created it. It ends when they leave the account'),
  created_at: Time('When it was created'),
  expires_at: Time('When it stops working'),
}

export const MachineToken = Type.Object(
  { ...members, last_used_at: Type.Optional(Time('When it was last used, to about a minute')) },
  { title: 'MachineToken', description: 'A machine token', examples: [tokenExample] },
)

export const CreatedToken = Type.Object(
  { ...members, token: AnyText('The secret, which is in no other response. Store it now') },
  {
    title: 'CreatedMachineToken',
    description: 'The machine token was created',
    examples: [createdTokenExample],
  },
)

export const TokenRequest = Type.Object(
  {
    name: TokenName,
    role: Type.Optional(about(TokenRole, 'Default: member')),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'After how many days it expires; default: 90',
      }),
    ),
  },
  {
    title: 'MachineTokenRequest',
    description: 'The machine token to create',
    examples: [tokenRequestExample],
  },
)

export const TokenList = Type.Object(
  {
    tokens: Type.Array(MachineToken, { description: 'All of them, sorted by name' }),
    count: Count('Number of tokens, with those that expired in the last 30 days'),
  },
  {
    title: 'MachineTokenList',
    description: 'The machine tokens of an account',
    examples: [{ tokens: [tokenExample], count: 1 }],
  },
)

export const TokenPath = Type.Object({
  account: about(AccountName, 'Name of the account'),
  token_id: about(TokenId, 'Id of the machine token'),
})

export const RevokedToken = Type.Object(
  { message: AnyText('Confirmation') },
  {
    title: 'RevokedMachineToken',
    description: 'The machine token was revoked',
    examples: [{ message: 'token revoked' }],
  },
)
