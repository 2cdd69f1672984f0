import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { millis } from '@slipway/words/times'
import { memo } from 'react'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { deploymentPath, RowLink } from '../../ui/row-link.tsx'
import { SessionLink } from '../sessions/session-link.tsx'

interface TraceTableProps {
  readonly agent: AgentPath
  readonly traces: readonly Schemas['TraceEntry'][]
}

/** A line of text is enough to recognize a trace. */
const MOST_CHARACTERS = 200

/** One trace a row. */
export function TraceTable({ agent, traces }: TraceTableProps) {
  const deployment = deploymentPath(agent)
  return (
    <TableFrame label="Table of traces">
      <table className="traces">
        <thead>
          <tr>
            <th scope="col" className="when">
              When
            </th>
            <th scope="col" className="status-name">
              Status
            </th>
            <th scope="col" className="line">
              Input
            </th>
            <th scope="col" className="line">
              Output
            </th>
            <th scope="col" className="number">
              Took
            </th>
            <th scope="col" className="number">
              Tokens
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col" className="id">
              Session
            </th>
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <TraceRow key={trace.trace_id} deployment={deployment} trace={trace} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

interface TraceRowProps {
  /** The path of the agent's deployment. */
  readonly deployment: string
  readonly trace: Schemas['TraceEntry']
}

const TraceRow = memo(function TraceRow({ deployment, trace }: TraceRowProps) {
  return (
    <tr>
      <th scope="row">
        <RowLink path={`${deployment}/traces/${trace.trace_id}`}>
          <TimeAgo time={trace.timestamp} />
        </RowLink>
      </th>
      <td>
        <span className={trace.status === 'error' ? 'bad' : 'good'}>{trace.status}</span>
      </td>
      <td className="line">{visible(trace.input.slice(0, MOST_CHARACTERS))}</td>
      <td className="line">{visible(trace.output.slice(0, MOST_CHARACTERS))}</td>
      <td className="number">{millis(trace.latency_ms)}</td>
      <td className="number">{compact(trace.input_tokens + trace.output_tokens)}</td>
      <td className="number">{dollars(trace.cost_usd)}</td>
      <td className="line">
        {trace.session_id !== undefined && (
          <SessionLink deployment={deployment} id={trace.session_id} />
        )}
      </td>
    </tr>
  )
})
