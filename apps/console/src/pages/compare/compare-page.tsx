import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'

import { compareQuery, type CompareSearch } from '../../api/compare-query.ts'
import { deploymentQuery, membersQuery, revisionsQuery } from '../../api/queries.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Differences } from './differences.tsx'
import { RevisionChoice } from './revision-choice.tsx'
import { RevisionFacts } from './revision-facts.tsx'

const route = getRouteApi('/accounts/$account/deployments/$name/compare')

/** How two revisions of a deployment differ, and who made them when. */
export function ComparePage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: revisions = [], isPending, error, refetch } = useQuery(revisionsQuery(agent))
  const { from, to } = chosenOf(search, revisions)
  useTitle(`Revisions ${from ?? ''} and ${to ?? ''} of ${agent.name}`)
  return (
    <>
      <h2>Compare revisions</h2>
      {error !== null && (
        <Problem error={error} what="The revisions can't be read" retry={() => void refetch()} />
      )}
      {isPending && <Loading what="the revisions" />}
      {!isPending && error === null && (from === undefined || to === undefined) && (
        <Empty title="There is one revision, and nothing to compare it with" />
      )}
      {from !== undefined && to !== undefined && (
        <>
          <RevisionChoice
            revisions={revisions}
            chosen={{ from, to }}
            onChange={(next) => void navigate({ search: next, replace: true })}
          />
          <Comparison key={`${from} ${to}`} from={from} to={to} />
        </>
      )}
    </>
  )
}

function Comparison({ from, to }: Required<CompareSearch>) {
  const agent = route.useParams()
  const { data: deployment } = useQuery(deploymentQuery(agent))
  const { data: people } = useQuery(membersQuery(agent.account))
  const source = deployment?.source_account ?? agent.account
  const { data, error, refetch } = useQuery(compareQuery(agent, source, { from, to }))
  if (data === undefined) {
    if (error === null) return <Loading what="the revisions" />
    return <Problem error={error} what="They can't be compared" retry={() => void refetch()} />
  }
  const { before, after, build, settings } = data
  return (
    <>
      <div className="compared">
        <RevisionFacts revision={before} people={people} />
        <RevisionFacts revision={after} people={people} />
      </div>
      {build.length + settings.length === 0 && (
        <p>
          {before.build_id === after.build_id
            ? 'Both have the same build and settings.'
            : 'The builds differ, but not in what they run or need; the settings are the same.'}
        </p>
      )}
      <Differences title="Build" changes={build} />
      <Differences title="Settings" changes={settings} />
      <p className="faint">Values of credentials are stored in the cluster, and not compared.</p>
    </>
  )
}

/** The revisions in the address; by default the newest one and the one before it. */
function chosenOf(search: CompareSearch, revisions: readonly Schemas['Revision'][]): CompareSearch {
  const to = search.to ?? revisions[0]?.revision
  const earlier = revisions.find(({ revision }) => to !== undefined && revision < to)
  const from = search.from ?? earlier?.revision
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
