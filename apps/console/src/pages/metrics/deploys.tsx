import type { Schemas } from '@slipway/client'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

interface DeploysProps {
  readonly agent: AgentPath
  /** Newest first. */
  readonly deploys: readonly Schemas['Revision'][]
}

/** The deploys that the plots mark, in words. */
export function Deploys({ agent, deploys }: DeploysProps) {
  if (deploys.length === 0) return null
  return (
    <section aria-labelledby="deploys">
      <h2 id="deploys">Deploys in this time</h2>
      <ul className="deploys">
        {deploys.map(({ revision, version, build_id: build, created_at: time }) => (
          <li key={revision}>
            {revision === 1 ? (
              <>r1</>
            ) : (
              <Link
                to="/accounts/$account/deployments/$name/compare"
                params={agent}
                search={{ from: revision - 1, to: revision }}
                aria-label={`r${revision}: what this revision changed`}
              >
                r{revision}
              </Link>
            )}{' '}
            <code>{version ?? build}</code> <TimeAgo time={time} />
          </li>
        ))}
      </ul>
    </section>
  )
}
