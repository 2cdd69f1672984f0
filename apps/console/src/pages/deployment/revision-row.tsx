import type { Schemas } from '@slipway/client'
import { authorOf, readinessOf } from '@slipway/words/revisions'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { WithCode } from '../../text/with-code.tsx'
import { ExactTime } from '../../ui/exact-time.tsx'
import { RevisionChange } from './revision-change.tsx'

type Revision = Schemas['Revision']

interface RevisionRowProps {
  readonly agent: AgentPath
  /** The account that the builds are of. */
  readonly source: string
  readonly revision: Revision
  readonly earlier: Revision | undefined
  readonly isDetailed: boolean
  readonly people: ReadonlyMap<string, string> | undefined
  /** Absent if it can't be rolled back to. */
  readonly onRollBack: (() => void) | undefined
}

const READINESS = { yes: 'ready', was: 'was ready', never: 'never ready', unknown: '' } as const

/** A revision: what it changed, who made it when, and what became of it. */
export function RevisionRow(props: RevisionRowProps) {
  const { agent, source, revision, earlier, isDetailed, people, onRollBack } = props
  const { revision: number, build_id: build, version, errors, live, state } = revision
  const readiness = readinessOf(revision)
  const reasons = live || revision.reason === undefined ? errors : [...errors, revision.reason]
  return (
    <tr>
      <th scope="row" className="number" data-label="Revision">
        {number}
      </th>
      <td data-label="State" className="words">
        {live ? 'live' : state}
        <span className={readiness === 'yes' ? 'detail good' : 'detail'}>
          {READINESS[readiness]}
        </span>
        {reasons.map((reason) => (
          <span key={reason} className="detail bad">
            <WithCode text={reason} />
          </span>
        ))}
      </td>
      <td data-label="Build">
        <Link
          to="/catalog/$account/$name"
          params={{ account: source, name: agent.name }}
          hash={`build-${build}`}
        >
          <code>{version ?? build}</code>
        </Link>
        {version !== undefined && <code className="detail">{build}</code>}
      </td>
      <td data-label="Change" className="words">
        <RevisionChange
          agent={agent}
          revision={revision}
          earlier={earlier}
          isDetailed={isDetailed}
        />
      </td>
      <td data-label="When">
        <ExactTime time={revision.created_at} />
      </td>
      <td data-label="Who" className="words">
        <bdi>{authorOf(revision, people)}</bdi>
      </td>
      <td className="actions">
        {number > 1 && (
          <Link
            to="/accounts/$account/deployments/$name/compare"
            params={agent}
            search={{ from: number - 1, to: number }}
            className="button small"
            aria-label={`Compare revision ${number} with the one before`}
          >
            Compare
          </Link>
        )}{' '}
        {onRollBack !== undefined && (
          <button
            type="button"
            className="button small"
            aria-label={`Roll back to revision ${number}`}
            onClick={onRollBack}
          >
            Roll back
          </button>
        )}
      </td>
    </tr>
  )
}
