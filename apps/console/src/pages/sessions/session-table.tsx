import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { SessionLink } from './session-link.tsx'

interface SessionTableProps {
  readonly agent: AgentPath
  readonly sessions: readonly Schemas['SessionEntry'][]
}

/** A line of text is enough to recognize a conversation. */
const MOST_CHARACTERS = 200

/** One session a row. */
export function SessionTable({ agent, sessions }: SessionTableProps) {
  return (
    <TableFrame label="Table of sessions">
      <table className="traces">
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Last turn</th>
            <th scope="col">First input</th>
            <th scope="col">Last output</th>
            {['Turns', 'Failed', 'Tokens', 'Cost'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            <th scope="col">User</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.session_id}>
              <th scope="row" className="line short">
                <SessionLink agent={agent} id={session.session_id} />
              </th>
              <td>
                <TimeAgo time={session.last_timestamp} />
              </td>
              <td className="line">{visible(session.input.slice(0, MOST_CHARACTERS))}</td>
              <td className="line">{visible(session.output.slice(0, MOST_CHARACTERS))}</td>
              <td className="number">{compact(session.turn_count)}</td>
              <td className={session.error_count > 0 ? 'number bad' : 'number'}>
                {compact(session.error_count)}
              </td>
              <td className="number">{compact(session.input_tokens + session.output_tokens)}</td>
              <td className="number">{dollars(session.cost_usd)}</td>
              <td className="line short">{visible(session.user_id ?? '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
