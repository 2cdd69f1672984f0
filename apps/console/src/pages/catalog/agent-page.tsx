import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'

import { agentQuery, deploymentsQuery, isNotFound, profileQuery } from '../../api/queries.ts'
import { accountToShow } from '../../layout/account-choice.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Needs } from './needs.tsx'
import { Versions } from './versions.tsx'

const route = getRouteApi('/catalog/$account/$name')

/** An agent: what it is, its versions, and what it needs. */
export function AgentPage() {
  const agent = route.useParams()
  const { account, name } = agent
  const { data, error, refetch } = useQuery(agentQuery(agent))
  const { data: profile } = useQuery(profileQuery)
  const into = accountToShow(profile?.accounts ?? [], account)
  const { data: deployed } = useQuery({
    ...deploymentsQuery(into ?? ''),
    enabled: into !== undefined,
  })
  const running = deployed?.deployments.find(
    (each) => each.name === name && (each.source_account ?? into) === account,
  )
  const isGone = isNotFound(error)
  useTitle(`${account}/${name}`)
  const newest =
    data?.versions.find(({ version, yanked }) => version !== undefined && yanked !== true) ??
    data?.versions[0]
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/catalog">Catalog</Link> / <bdi>{account}</bdi>
      </nav>
      <h1>{name}</h1>
      {isGone && (
        <Empty title={`There is no agent ${account}/${name}`}>
          <p>Somebody has deleted it, or it was never published.</p>
          <Link to="/catalog">Go to the catalog</Link>
        </Empty>
      )}
      {error !== null && !isGone && (
        <Problem
          error={error}
          what={`${account}/${name} can't be read`}
          retry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Loading what="the agent" />}
      {data !== undefined && !isGone && (
        <>
          <section aria-labelledby="deploy">
            <h2 id="deploy">Deploy</h2>
            {into !== undefined && (
              <p className="form-buttons">
                <Link
                  className="button primary"
                  to="/accounts/$account/deploy/$source/$name"
                  params={{ account: into, source: account, name }}
                >
                  Deploy …
                </Link>
                {running !== undefined && (
                  <span>
                    <Link
                      to="/accounts/$account/deployments/$name"
                      params={{ account: into, name }}
                    >
                      Deployed in {into}
                    </Link>{' '}
                    <StateBadge state={running.state} />
                  </span>
                )}
              </p>
            )}
            <p className="faint">
              It shows the plan, and asks for what the agent needs. In a terminal:
            </p>
            <Command>{`slipway deploy ${account}/${name}`}</Command>
          </section>
          <Needs agent={agent} />
          <Versions
            agent={agent}
            into={into}
            running={running?.build_id}
            versions={data.versions}
            hasMore={data.has_more_versions === true}
          />
          <section aria-labelledby="readme">
            <h2 id="readme">Readme</h2>
            {newest?.readme === undefined || newest.readme === '' ? (
              <p className="faint">It has no readme.</p>
            ) : (
              <Markdown text={newest.readme} />
            )}
          </section>
        </>
      )}
    </>
  )
}
