import type { Schemas } from '@slipway/client'
import { sentence } from '@slipway/words/sentence'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { deploymentQuery, membersQuery, revisionsQuery } from '../../api/queries.ts'
import { usePageActions } from '../../ui/page-actions.ts'
import { toneOf } from '../../ui/state-badge.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Components } from './components.tsx'
import { DeploymentFacts } from './deployment-facts.tsx'
import { Failures } from './failures.tsx'
import { goodRevision } from './good-revision.ts'
import { noticeOf, type Change } from './notice.ts'
import { Revisions } from './revisions.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'
import { UndeployDialog } from './undeploy-dialog.tsx'
import { useLiveEvents, type Liveness } from './use-live-events.ts'

const route = getRouteApi('/accounts/$account/deployments/$name/')

const LIVENESS: Readonly<Record<Liveness, string>> = {
  connecting: 'connecting …',
  live: 'updates by itself',
  interrupted: 'interrupted; reading every few seconds',
  ended: 'reading every few seconds',
}

const REMOVED: ReadonlySet<Schemas['DeploymentState']> = new Set(['undeploying', 'undeployed'])

/** What a deployment does, why not, and what can be done about it. */
export function DeploymentPage() {
  const params = route.useParams()
  const { data: deployment } = useQuery(deploymentQuery(params))
  const isRemoved = !deployment || REMOVED.has(deployment.state)
  const liveness = useLiveEvents(params, !isRemoved)
  const { data: people } = useQuery(membersQuery(params.account))
  const { data: revisions } = useQuery({ ...revisionsQuery(params), enabled: !isRemoved })
  const good = useMemo(() => goodRevision(revisions ?? []), [revisions])
  const [target, setTarget] = useState<Schemas['Revision']>()
  const [isUndeploying, setUndeploying] = useState(false)
  const [change, setChange] = useState<Change>()
  usePageActions(
    useMemo(
      () => [{ label: `Undeploy ${params.name} …`, run: () => setUndeploying(true) }],
      [params.name],
    ),
  )
  useTitle(deployment ? `${params.name}: ${deployment.state}` : params.name)
  if (!deployment) return null

  return (
    <>
      <div className={`status ${toneOf(deployment.state)}`}>
        <p className="sentence" role="status">
          {sentence(deployment)}
        </p>
        <span className={`liveness ${liveness}`}>{LIVENESS[liveness]}</span>
      </div>
      <p className="notice" role="status">
        {noticeOf(change, deployment)}
      </p>
      <DeploymentFacts agent={params} deployment={deployment} people={people} />
      <Failures deployment={deployment} agent={params} good={good} onRollBack={setTarget} />
      <Components
        deployment={deployment}
        agent={params}
        onRestarted={(pod) => setChange({ kind: 'restart', pod })}
      />
      <Revisions
        agent={params}
        source={deployment.source_account ?? params.account}
        people={people}
        onRollBack={setTarget}
      />
      <section className="danger-zone" aria-labelledby="undeploy">
        <h2 id="undeploy">Undeploy</h2>
        <p>Deletes the namespace with everything in it. Traces and the history stay.</p>
        <button type="button" className="button danger" onClick={() => setUndeploying(true)}>
          Undeploy …
        </button>
      </section>
      {target !== undefined && (
        <RollbackDialog
          agent={params}
          target={target}
          onDone={(revision) => setChange({ kind: 'rollback', revision, copied: target.revision })}
          onClose={() => setTarget(undefined)}
        />
      )}
      {isUndeploying && (
        <UndeployDialog
          agent={params}
          deployment={deployment}
          onClose={() => setUndeploying(false)}
        />
      )}
    </>
  )
}
