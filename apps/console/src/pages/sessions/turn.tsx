import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { localTime, millis } from '@slipway/words/times'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'

interface TurnProps {
  readonly agent: AgentPath
  readonly turn: Schemas['TraceEntry']
  readonly number: number
}

/** What the user said and what the agent answered, and the trace of that. */
export function Turn({ agent, turn, number }: TurnProps) {
  const { input, output, status, timestamp, latency_ms: took, trace_id: traceId } = turn
  const tokens = turn.input_tokens + turn.output_tokens
  return (
    <li className="turn" aria-label={`Turn ${number}`}>
      <p className="faint">
        <Link
          to="/accounts/$account/deployments/$name/traces/$traceId"
          params={{ ...agent, traceId }}
          aria-label={`Trace of turn ${number}`}
        >
          Turn {number}
        </Link>
        <span>{localTime(timestamp)}</span>
        <span>{millis(took)}</span>
        {tokens > 0 && <span>{compact(tokens)} tokens</span>}
        {turn.cost_usd !== undefined && <span>{dollars(turn.cost_usd)}</span>}
        {status === 'error' && <span className="bad">failed</span>}
      </p>
      <div className="message user">
        <span className="role">user</span>
        <p>{visible(input) || '(no input)'}</p>
      </div>
      <div className="message assistant">
        <span className="role">agent</span>
        <p>{visible(output) || '(no output)'}</p>
      </div>
    </li>
  )
}
