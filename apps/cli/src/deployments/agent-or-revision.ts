import type { TypedPositionalParameter } from '@stricli/core'

import { agentParameter, type AgentReference } from '../command/agent-reference.ts'
import type { ProcessContext } from '../command/process-context.ts'
import { parseAgentOrRevision } from './agent-and-last.ts'

/** The first of the parameters `[AGENT] [REVISION …]`, whose agent may be left out. */
export const agentOrRevision: TypedPositionalParameter<
  AgentReference | number | undefined,
  ProcessContext
> = { ...agentParameter, parse: parseAgentOrRevision, optional: true }
