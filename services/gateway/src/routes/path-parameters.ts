import { Type } from 'typebox'

import { Text } from '../http/schemas.ts'

/** Path parameters of an account. */
export const AccountPath = Type.Object({ account: Text('Account slug') })

/** Path parameters of an agent. */
export const AgentPath = Type.Object({
  account: Text('Account slug'),
  name: Text('Agent name'),
})
