import type { Schemas } from '@slipway/client'
import { authorOf, readinessOf } from '@slipway/words/revisions'

import { visible } from '../../text/visible.ts'
import { ExactTime } from '../../ui/exact-time.tsx'

interface RevisionFactsProps {
  readonly revision: Schemas['Revision']
  readonly people: ReadonlyMap<string, string> | undefined
}

/** Who made a revision, when, from which build, and what became of it. */
export function RevisionFacts({ revision, people }: RevisionFactsProps) {
  const {
    revision: number,
    live,
    state,
    version,
    build_id: build,
    rolled_back_to: copied,
  } = revision
  const reasons = [...revision.errors, ...(revision.reason === undefined ? [] : [revision.reason])]
  return (
    <section className="revision" aria-label={`Revision ${number}`}>
      <h3>
        Revision {number} {live && <span className="good">live</span>}
      </h3>
      <dl className="facts">
        <div>
          <dt>When</dt>
          <dd>
            <ExactTime time={revision.created_at} />
          </dd>
        </div>
        <div>
          <dt>Who</dt>
          <dd>
            <bdi>{authorOf(revision, people)}</bdi>
          </dd>
        </div>
        <div>
          <dt>Build</dt>
          <dd>
            <code>{build}</code> {version !== undefined && <>({version})</>}
          </dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{state}</dd>
        </div>
        <div>
          <dt>Was ready</dt>
          <dd>{readinessOf(revision)}</dd>
        </div>
        {copied !== undefined && (
          <div>
            <dt>Rollback to</dt>
            <dd>{copied}</dd>
          </div>
        )}
      </dl>
      {reasons.map((error) => (
        <p key={error} className="bad">
          {visible(error)}
        </p>
      ))}
    </section>
  )
}
