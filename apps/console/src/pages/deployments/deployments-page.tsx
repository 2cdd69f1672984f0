import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'

import { deploymentsQuery } from '../../api/queries.ts'
import { withFilter } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { Command } from '../../ui/command.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { TableFrame } from '../../ui/table-frame.tsx'

type Summary = Schemas['DeploymentSummary']

const route = getRouteApi('/accounts/$account/deployments')

/** Deployments that need somebody. */
const TROUBLE: ReadonlySet<Summary['state']> = new Set(['degraded', 'failed'])

/** The deployments of an account with their states. */
export function DeploymentsPage() {
  const { account } = route.useParams()
  const { data, error, refetch } = useQuery(deploymentsQuery(account))
  useTitle(`Deployments of ${account}`)
  return (
    <>
      <div className="title-row">
        <h1>Deployments</h1>
        <Link className="button small" to="/catalog" search={{ account }}>
          Deploy …
        </Link>
      </div>
      {error !== null && (
        <Problem
          error={error}
          what={`The deployments of ${account} can't be read`}
          retry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Loading what="the deployments" />}
      {data !== undefined && data.count === 0 && (
        <Empty title="Nothing is deployed yet">
          <p>
            Find an agent in the <Link to="/catalog">catalog</Link>, or deploy{' '}
            <Link to="/catalog" search={{ account }}>
              one of {account}
            </Link>
            :
          </p>
          <Command>slipway deploy AGENT</Command>
        </Empty>
      )}
      {data !== undefined && data.count > 0 && <FilteredList all={data.deployments} />}
    </>
  )
}

function FilteredList({ all }: { readonly all: readonly Summary[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setWords = useCallback(
    (q: string) => {
      void navigate({ search: (known) => withFilter(known, 'q', q), replace: true })
    },
    [navigate],
  )
  const inTrouble = all.filter(({ state }) => TROUBLE.has(state))
  const candidates = search.state === 'trouble' ? inTrouble : all
  const shown = candidates.filter(({ name }) => name.includes(search.q?.toLowerCase() ?? ''))
  return (
    <>
      <div className="toolbar">
        <SearchField label="Search by name" value={search.q ?? ''} onChange={setWords} />
        <label className="check">
          <input
            type="checkbox"
            checked={search.state === 'trouble'}
            onChange={({ target: { checked } }) =>
              void navigate({
                search: (known) => withFilter(known, 'state', checked ? 'trouble' : ''),
              })
            }
          />
          Only degraded or failed ({inTrouble.length})
        </label>
      </div>
      {shown.length === 0 ? <Empty title="No deployment matches" /> : <Table deployments={shown} />}
    </>
  )
}

function Table({ deployments }: { readonly deployments: readonly Summary[] }) {
  const { account } = route.useParams()
  return (
    <TableFrame label="Table of deployments" isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">State</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Ready
            </th>
            <th scope="col" className="number">
              Revision
            </th>
            <th scope="col">Build</th>
            <th scope="col">Deployed</th>
          </tr>
        </thead>
        <tbody>
          {deployments.map((deployment) => (
            <tr key={deployment.name}>
              <th scope="row">
                <Link
                  to="/accounts/$account/deployments/$name"
                  params={{ account, name: deployment.name }}
                >
                  {deployment.name}
                </Link>
              </th>
              <td>
                <StateBadge state={deployment.state} />
              </td>
              <td className="words">{visible(deployment.reason ?? '')}</td>
              <td className="number" data-label="Components ready">
                {readyComponents(deployment)}
              </td>
              <td className="number" data-label="Revision">
                {deployment.revision}
              </td>
              <td data-label="Build">
                <code>{deployment.build_id}</code>
              </td>
              <td data-label="Deployed">
                <TimeAgo time={deployment.deployed_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** How many components are ready, as `2/3`. */
function readyComponents({ components }: Summary): string {
  return `${components.filter(({ state }) => state === 'ready').length}/${components.length}`
}
