import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'

import { deploymentQuery } from '../../api/queries.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name')

/** The name and state of a deployment, above its pages. */
export function DeploymentLayout() {
  const params = route.useParams()
  const { account, name } = params
  const { data, error, refetch } = useQuery(deploymentQuery(params))
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/accounts/$account/deployments" params={{ account }}>
          {account}
        </Link>{' '}
        / <bdi>{name}</bdi>
      </nav>
      <div className="title-row">
        <h1>{name}</h1>
        {data === undefined && error === null && <TitlePlace />}
        {data && (
          <>
            <StateBadge state={data.state} />
            <Link
              className="button small"
              to="/accounts/$account/deploy/$source/$name"
              params={{ account, source: data.source_account ?? account, name }}
              search={{ build: 'current' }}
            >
              Change …
            </Link>
          </>
        )}
      </div>
      <nav className="tabs" aria-label="Deployment">
        <Link to="/accounts/$account/deployments/$name" params={params} activeOptions={EXACT}>
          Overview
        </Link>
        <Link to="/accounts/$account/deployments/$name/logs" params={params} activeOptions={ANY}>
          Logs
        </Link>
        <Link to="/accounts/$account/deployments/$name/traces" params={params} activeOptions={ANY}>
          Traces
        </Link>
        <Link
          to="/accounts/$account/deployments/$name/sessions"
          params={params}
          activeOptions={ANY}
        >
          Sessions
        </Link>
        <Link to="/accounts/$account/deployments/$name/metrics" params={params} activeOptions={ANY}>
          Metrics
        </Link>
      </nav>
      {data === null && (
        <Empty title={`${name} is not deployed in ${account}`}>
          <Link
            className="button"
            to="/accounts/$account/deploy/$source/$name"
            params={{ account, source: account, name }}
          >
            Deploy …
          </Link>
          <Command>{`slipway deploy ${account}/${name}`}</Command>
        </Empty>
      )}
      {error !== null && (
        <Problem
          error={error}
          what={`The state of ${name} can't be read`}
          retry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Loading what="the deployment" />}
      {/* Traces stay when a deployment is gone. */}
      {data !== undefined && <Outlet />}
    </>
  )
}

/** As high as the state and the button that follow, so that the page stays where it is. */
function TitlePlace() {
  return (
    <>
      <span className="badge place" aria-hidden="true">
        ● ready
      </span>
      <span className="button small place" aria-hidden="true">
        Change …
      </span>
    </>
  )
}

const EXACT = { exact: true, includeSearch: false }
const ANY = { includeSearch: false }
