import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { revisionsQuery, type AgentPath } from '../../api/queries.ts'
import { usePageActions } from '../../ui/page-actions.ts'
import { Problem } from '../../ui/problem.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { RevisionRow } from './revision-row.tsx'

type Revision = Schemas['Revision']

/** The number of revisions whose settings are read; *Compare* shows those of the others. */
const DETAILED = 5

interface RevisionsProps {
  readonly agent: AgentPath
  readonly source: string
  readonly people: ReadonlyMap<string, string> | undefined
  readonly onRollBack: (target: Revision) => void
}

/** Who deployed what and when, and going back to it. */
export function Revisions({ agent, source, people, onRollBack }: RevisionsProps) {
  const { data: revisions, error, refetch } = useQuery(revisionsQuery(agent))
  const actions = useMemo(
    () =>
      (revisions ?? []).filter(canRollBackTo).map((revision) => ({
        label: `Roll back to revision ${revision.revision} …`,
        run: () => onRollBack(revision),
      })),
    [revisions, onRollBack],
  )
  usePageActions(actions)
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      {error !== null && (
        <Problem error={error} what="The revisions can't be read" retry={() => void refetch()} />
      )}
      {revisions !== undefined && (
        <TableFrame label="Table of revisions" isStacked>
          <table>
            <thead>
              <tr>
                <th scope="col" className="number">
                  Revision
                </th>
                <th scope="col">State</th>
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
                <RevisionRow
                  key={revision.revision}
                  agent={agent}
                  source={source}
                  revision={revision}
                  earlier={revisions[index + 1]}
                  isDetailed={index < DETAILED}
                  people={people}
                  onRollBack={canRollBackTo(revision) ? () => onRollBack(revision) : undefined}
                />
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </section>
  )
}

function canRollBackTo({ restorable, live }: Revision): boolean {
  return restorable && !live
}
