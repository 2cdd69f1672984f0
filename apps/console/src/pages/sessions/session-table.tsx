import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { memo } from 'react'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { deploymentPath } from '../../ui/row-link.tsx'
import { SessionLink } from './session-link.tsx'

interface SessionTableProps {
  readonly agent: AgentPath
  readonly sessions: readonly Schemas['SessionEntry'][]
}

/** A line of text is enough to recognize a conversation. */
const MOST_CHARACTERS = 200

/** One session a row. */
export function SessionTable({ agent, sessions }: SessionTableProps) {
  const deployment = deploymentPath(agent)
  return (
    <TableFrame label="Table of sessions">
      <table className="traces">
        <thead>
          <tr>
            <th scope="col" className="id">
              Session
            </th>
            <th scope="col" className="when">
              Last turn
            </th>
            <th scope="col" className="line">
              First input
            </th>
            <th scope="col" className="line">
              Last output
            </th>
            {['Turns', 'Failed', 'Tokens', 'Cost'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            <th scope="col" className="id">
              User
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.session_id} deployment={deployment} session={session} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

interface SessionRowProps {
  /** The path of the agent's deployment. */
  readonly deployment: string
  readonly session: Schemas['SessionEntry']
}

const SessionRow = memo(function SessionRow({ deployment, session }: SessionRowProps) {
  return (
    <tr>
      <th scope="row" className="line">
        <SessionLink deployment={deployment} id={session.session_id} />
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
      <td className="line">{visible(session.user_id ?? '')}</td>
    </tr>
  )
})
