import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { millis } from '@slipway/words/times'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { SessionLink } from '../sessions/session-link.tsx'

interface TraceTableProps {
  readonly agent: AgentPath
  readonly traces: readonly Schemas['TraceEntry'][]
}

/** A line of text is enough to recognize a trace. */
const MOST_CHARACTERS = 200

/** One trace a row. */
export function TraceTable({ agent, traces }: TraceTableProps) {
  return (
    <TableFrame label="Table of traces">
      <table className="traces">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Status</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col" className="number">
              Took
            </th>
            <th scope="col" className="number">
              Tokens
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col">Session</th>
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <tr key={trace.trace_id}>
              <th scope="row">
                <Link
                  to="/accounts/$account/deployments/$name/traces/$traceId"
                  params={{ ...agent, traceId: trace.trace_id }}
                >
                  <TimeAgo time={trace.timestamp} />
                </Link>
              </th>
              <td>
                <span className={trace.status === 'error' ? 'bad' : 'good'}>{trace.status}</span>
              </td>
              <td className="line">{visible(trace.input.slice(0, MOST_CHARACTERS))}</td>
              <td className="line">{visible(trace.output.slice(0, MOST_CHARACTERS))}</td>
              <td className="number">{millis(trace.latency_ms)}</td>
              <td className="number">{compact(trace.input_tokens + trace.output_tokens)}</td>
              <td className="number">{dollars(trace.cost_usd)}</td>
              <td className="line short">
                {trace.session_id !== undefined && (
                  <SessionLink agent={agent} id={trace.session_id} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
