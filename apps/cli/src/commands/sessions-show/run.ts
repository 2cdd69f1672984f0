import type { Schemas } from '@slipway/client'

import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { viewPlain, viewSession } from './view.ts'

export type Session = Schemas['Session']

export interface SessionsShowFlags {
  readonly full: boolean
  readonly limit: number
}

/** Most turns of a page. */
const PAGE = 500

type Args = [session: string, agent?: AgentReference]

export const sessionsShow: Implementation<SessionsShowFlags, Args, Session> = {
  async run(cli, { limit }, session_id, reference) {
    const agent = await agentOf(cli, reference)
    const client = await cli.client()
    const path = '/api/v1/agents/{account}/{name}/observability/sessions/{session_id}'
    const read = async (offset: number, most: number) => {
      const params = { path: { ...agent, session_id }, query: { limit: most, offset } }
      return (await client.GET(path, { params, signal: cli.signal })).data
    }
    const first = await read(0, Math.min(limit, PAGE))
    const turns = [...first.turns]
    while (turns.length < Math.min(limit, first.turn_count)) {
      const page = await read(turns.length, Math.min(limit - turns.length, PAGE))
      if (page.turns.length === 0) break
      turns.push(...page.turns)
    }
    return { ...first, turns, limit, offset: 0 }
  },

  view: (session, { printer }, { full }) =>
    printer.isTerminal ? viewSession(session, printer.screen.columns, full) : viewPlain(session),
}
