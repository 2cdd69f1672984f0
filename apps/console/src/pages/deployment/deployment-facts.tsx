import type { Schemas } from '@slipway/client'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

interface DeploymentFactsProps {
  readonly agent: AgentPath
  readonly deployment: Schemas['Deployment']
  readonly people: ReadonlyMap<string, string> | undefined
}

/** What is deployed, by whom, and where it can be reached. */
export function DeploymentFacts({ agent, deployment, people }: DeploymentFactsProps) {
  const { deployed_by: by, build_id: build, version, service_endpoints: endpoints } = deployment
  const source = { account: deployment.source_account ?? agent.account, name: agent.name }
  return (
    <dl className="facts">
      <div>
        <dt>Agent</dt>
        <dd>
          <Link to="/catalog/$account/$name" params={source}>
            {source.account}/{source.name}
          </Link>
        </dd>
      </div>
      <div>
        <dt>Revision</dt>
        <dd>{deployment.revision}</dd>
      </div>
      <div>
        <dt>Build</dt>
        <dd>
          <Link to="/catalog/$account/$name" params={source} hash={`build-${build}`}>
            <code>{build}</code>
          </Link>
          {version !== undefined && ` (${version})`}
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
  )
}

/** Whether a browser may reach it: other addresses exist in the cluster only. */
function isPublic(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false
  return !parsed.hostname.endsWith('.svc.cluster.local')
}
