import type { Schemas } from '@slipway/client'
import { compact, dollars } from '@slipway/words/numbers'
import { localTime } from '@slipway/words/times'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'

import { agentSessionQuery, TURNS_PER_PAGE } from '../../api/agent-sessions.ts'
import type { AgentPath } from '../../api/queries.ts'
import { withFilter } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { Loading } from '../../ui/loading.tsx'
import { Pages } from '../../ui/pages.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Turn } from './turn.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/sessions/turns')

/** A session: its turns as a conversation, each leading to its trace. */
export function SessionPage() {
  const agent = route.useParams()
  const { id } = route.useSearch()
  if (id === undefined)
    return <Navigate to="/accounts/$account/deployments/$name/sessions" params={agent} replace />
  return <Conversation key={id} agent={agent} id={id} />
}

interface ConversationProps {
  readonly agent: AgentPath
  readonly id: string
}

function Conversation({ agent, id }: ConversationProps) {
  const { offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: session, error, refetch } = useQuery(agentSessionQuery(agent, id, offset))
  useTitle(`Session ${visible(id).slice(0, 40)}`)
  return (
    <>
      <h2>
        Session <bdi>{visible(id)}</bdi>
      </h2>
      {error !== null && (
        <Problem error={error} what="The session can't be read" retry={() => void refetch()} />
      )}
      {session === undefined && error === null && <Loading what="the session" />}
      {session !== undefined && (
        <>
          <Facts session={session} agent={agent} />
          <ol className="conversation" aria-label="Turns">
            {session.turns.map((turn, index) => (
              <Turn
                key={turn.trace_id}
                agent={agent}
                turn={turn}
                number={session.offset + index + 1}
              />
            ))}
          </ol>
          <Pages
            label="Pages of turns"
            words={['Earlier', 'Later']}
            offset={session.offset}
            shown={session.turns.length}
            total={session.turn_count}
            perPage={TURNS_PER_PAGE}
            onChange={(to) =>
              void navigate({ search: (known) => withFilter(known, 'offset', to ?? '') })
            }
          />
        </>
      )}
    </>
  )
}

interface FactsProps {
  readonly session: Schemas['Session']
  readonly agent: AgentPath
}

function Facts({ session, agent }: FactsProps) {
  const { user_id: user } = session
  return (
    <dl className="facts">
      {[
        ['First turn', localTime(session.first_timestamp)],
        ['Last turn', localTime(session.last_timestamp)],
        ['Turns', compact(session.turn_count)],
        ['Failed', compact(session.error_count)],
        ['Tokens', compact(session.input_tokens + session.output_tokens)],
        ['Cost', dollars(session.cost_usd)],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {user !== undefined && (
        <div>
          <dt>User</dt>
          <dd>
            <Link
              to="/accounts/$account/deployments/$name/sessions"
              params={agent}
              search={{ user }}
            >
              {visible(user)}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}
