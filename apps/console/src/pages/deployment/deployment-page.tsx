import type { Schemas } from '@slipway/client'
import { sentence } from '@slipway/words/sentence'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { deploymentQuery, isNotFound, membersQuery } from '../../api/queries.ts'
import { usePageActions } from '../../ui/page-actions.ts'
import { toneOf } from '../../ui/state-badge.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Components } from './components.tsx'
import { Failures } from './failures.tsx'
import { Revisions } from './revisions.tsx'
import { UndeployDialog } from './undeploy-dialog.tsx'
import { useLiveEvents, type Liveness } from './use-live-events.ts'

const route = getRouteApi('/accounts/$account/deployments/$name/')

const LIVENESS: Readonly<Record<Liveness, string>> = {
  connecting: 'connecting …',
  live: 'live',
  interrupted: 'interrupted; reading every few seconds',
  ended: 'reading every few seconds',
}

const REMOVED: ReadonlySet<Schemas['DeploymentState']> = new Set(['undeploying', 'undeployed'])

/** What a deployment does, why not, and what can be done about it. */
export function DeploymentPage() {
  const params = route.useParams()
  const { data: deployment, error } = useQuery(deploymentQuery(params))
  const isGone = isNotFound(error)
  const isRemoved = isGone || deployment === undefined || REMOVED.has(deployment.state)
  const liveness = useLiveEvents(params, !isRemoved)
  const { data: people } = useQuery(membersQuery(params.account))
  const [isUndeploying, setUndeploying] = useState(false)
  usePageActions(
    useMemo(
      () => [{ label: `Undeploy ${params.name} …`, run: () => setUndeploying(true) }],
      [params.name],
    ),
  )
  useTitle(deployment === undefined ? params.name : `${params.name}: ${deployment.state}`)
  if (deployment === undefined || isGone) return null

  const { deployed_by: by, service_endpoints: endpoints, source_account: source } = deployment
  return (
    <>
      <div className={`status ${toneOf(deployment.state)}`}>
        <p className="sentence" role="status">
          {sentence(deployment)}
        </p>
        <span className={`liveness ${liveness}`}>{LIVENESS[liveness]}</span>
      </div>
      <dl className="facts">
        <div>
          <dt>Revision</dt>
          <dd>{deployment.revision}</dd>
        </div>
        <div>
          <dt>Build</dt>
          <dd>
            <code>{deployment.build_id}</code>
            {source !== undefined && (
              <>
                {' of '}
                <Link to="/catalog/$account/$name" params={{ account: source, name: params.name }}>
                  {source}
                </Link>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Deployed</dt>
          <dd>
            <TimeAgo time={deployment.deployed_at} /> by <bdi>{people?.get(by) ?? by}</bdi>
          </dd>
        </div>
        <div>
          <dt>Namespace</dt>
          <dd>
            <code>{deployment.k8s_namespace}</code>
          </dd>
        </div>
        {endpoints.map(({ name, type, url }) => (
          <div key={`${type} ${name}`}>
            <dt>{type}</dt>
            <dd>{isPublic(url) ? <a href={url}>{url}</a> : <code>{url}</code>}</dd>
          </div>
        ))}
      </dl>
      <Failures deployment={deployment} agent={params} />
      <Components deployment={deployment} agent={params} />
      <Revisions agent={params} people={people} />
      <section className="danger-zone" aria-labelledby="undeploy">
        <h2 id="undeploy">Undeploy</h2>
        <p>Deletes the namespace with everything in it. Traces and the history stay.</p>
        <button type="button" className="button danger" onClick={() => setUndeploying(true)}>
          Undeploy …
        </button>
      </section>
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

/** Whether a browser may reach it: other addresses exist in the cluster only. */
function isPublic(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false
  return !parsed.hostname.endsWith('.svc.cluster.local')
}
