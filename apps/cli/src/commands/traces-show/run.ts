import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import type { Trace } from '@slipway/words/span-rows'
import { findTrace } from '../../traces/find-trace.ts'
import { viewPlain } from './view-plain.ts'
import { viewTrace } from './view-trace.ts'

export interface TracesShowFlags {
  readonly spans: boolean
}

type Args = [trace: string, agent?: AgentReference]

export const tracesShow: Implementation<TracesShowFlags, Args, Trace> = {
  async run(cli, _flags, name, reference) {
    const agent = await agentOf(cli, reference)
    const trace_id = await findTrace(cli, agent, name)
    const client = await cli.client()
    const path = '/api/v1/agents/{account}/{name}/observability/traces/{trace_id}'
    const params = { path: { ...agent, trace_id } }
    return (await client.GET(path, { params, signal: cli.signal })).data
  },

  view: (trace, { printer }, { spans }) =>
    printer.isTerminal ? viewTrace(trace, printer.screen.columns, spans) : viewPlain(trace),
}
