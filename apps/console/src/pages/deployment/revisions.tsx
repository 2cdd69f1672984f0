import type { Schemas } from '@slipway/client'
import { authorOf, changeOf, readinessOf } from '@slipway/words/revisions'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { revisionsQuery, type AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { usePageActions } from '../../ui/page-actions.ts'
import { Problem } from '../../ui/problem.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

type Revision = Schemas['Revision']

interface RevisionsProps {
  readonly agent: AgentPath
  readonly people: ReadonlyMap<string, string> | undefined
}

/** Who deployed what and when, and going back to it. */
export function Revisions({ agent, people }: RevisionsProps) {
  const { data: revisions, error, refetch } = useQuery(revisionsQuery(agent))
  const [target, setTarget] = useState<Revision>()
  const actions = useMemo(
    () =>
      (revisions ?? []).filter(canRollBackTo).map((revision) => ({
        label: `Roll back to revision ${revision.revision} …`,
        run: () => setTarget(revision),
      })),
    [revisions],
  )
  usePageActions(actions)
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      {error !== null && (
        <Problem error={error} what="The revisions can't be read" retry={() => void refetch()} />
      )}
      {revisions !== undefined && (
        <TableFrame label="Table of revisions">
          <table>
            <thead>
              <tr>
                <th scope="col" className="number">
                  Revision
                </th>
                <th scope="col">State</th>
                <th scope="col">Was ready</th>
                <th scope="col">Build</th>
                <th scope="col">Change</th>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {revisions.map((revision, index) => (
                <tr key={revision.revision}>
                  <th scope="row" className="number">
                    {revision.revision}
                  </th>
                  <td>{revision.live ? <span className="good">live</span> : revision.state}</td>
                  <td>{readinessOf(revision)}</td>
                  <td>
                    <code>{revision.version ?? revision.build_id}</code>
                  </td>
                  <td className="words">{visible(changeOf(revision, revisions[index + 1]))}</td>
                  <td>
                    <TimeAgo time={revision.created_at} />
                  </td>
                  <td>
                    <bdi>{authorOf(revision, people)}</bdi>
                  </td>
                  <td className="actions">
                    {revision.revision > 1 && (
                      <Link
                        to="/accounts/$account/deployments/$name/compare"
                        params={agent}
                        search={{ from: revision.revision - 1, to: revision.revision }}
                        className="button small"
                        aria-label={`Compare revision ${revision.revision} with the one before`}
                      >
                        Compare
                      </Link>
                    )}{' '}
                    {canRollBackTo(revision) && (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Roll back to revision ${revision.revision}`}
                        onClick={() => setTarget(revision)}
                      >
                        Roll back
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      {target !== undefined && (
        <RollbackDialog agent={agent} target={target} onClose={() => setTarget(undefined)} />
      )}
    </section>
  )
}

function canRollBackTo({ restorable, live }: Revision): boolean {
  return restorable && !live
}
