import { Type } from 'typebox'

import { about } from '../http/schemas/kinds.ts'
import { AccountName, AgentName } from './names.ts'

/** Path parameters of an account. */
export const AccountPath = Type.Object({ account: about(AccountName, 'Name of the account') })

/** Path parameters of an agent. */
export const AgentPath = Type.Object({
  account: about(AccountName, 'Name of the account'),
  name: about(AgentName, 'Name of the agent'),
})
