import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const schema = Type.Object({
  url: Type.String({ description: 'The server' }),
  context: text('The name of the context, if there is one'),
  token_from: Type.Enum(['environment', 'keyring', 'file', 'none'], {
    description: 'Where the token is from; `environment` is SLIPWAY_TOKEN',
  }),
  issuer: text('The identity provider'),
  expires_at: text('When the token expires; it is then refreshed if `can_refresh`'),
  can_refresh: Type.Boolean({ description: 'Whether there is a refresh token' }),
  is_valid: Type.Boolean({ description: 'Whether the server accepts the token now' }),
  user: text('The address of the signed-in person; absent with a machine token'),
  machine_token: Type.Optional(
    Type.Object(
      {
        id: Type.String({ description: 'Its id, which is not a secret' }),
        name: Type.String({ description: 'Its name' }),
        role: text('What it may do now, at most what its creator may'),
        account: text('The account that it acts in'),
      },
      { description: 'The machine token, if the server accepts one' },
    ),
  ),
  problem: text('Why the token is not accepted'),
})
