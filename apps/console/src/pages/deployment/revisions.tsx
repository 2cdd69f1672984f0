import type { Schemas } from '@slipway/client'
import { changeOf, readinessOf } from '@slipway/words/revisions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { revisionsQuery, type AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
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
                    {revision.restorable && !revision.live && (
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

function authorOf(revision: Revision, people: RevisionsProps['people']): string {
  const { created_by: by, created_by_token: token } = revision
  const person = people?.get(by) ?? by
  return token === undefined ? person : `${token.name}, a token of ${person}`
}
