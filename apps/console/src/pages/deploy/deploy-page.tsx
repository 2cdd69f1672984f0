import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'

import { runningQuery } from '../../api/deploy-queries.ts'
import { profileQuery } from '../../api/queries.ts'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DeployForm } from './deploy-form.tsx'

const route = getRouteApi('/accounts/$account/deploy/$source/$name')

/** Deploys an agent into an account, or changes how it is deployed. */
export function DeployPage() {
  const { account, source, name } = route.useParams()
  const navigate = useNavigate()
  const search = route.useSearch()
  const { data: profile } = useQuery(profileQuery)
  const { data: running, error, refetch } = useQuery(runningQuery({ account, name }))
  const title = `${running?.deployment === undefined ? 'Deploy' : 'Change'} ${name}`
  useTitle(title)
  const accounts = profile?.accounts ?? []
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/catalog/$account/$name" params={{ account: source, name }}>
          {source}/{name}
        </Link>
      </nav>
      <h1>{title}</h1>
      <div className="toolbar">
        <label className="choice">
          In account
          <select
            className="field"
            value={account}
            onChange={({ target: { value } }) =>
              void navigate({
                to: '/accounts/$account/deploy/$source/$name',
                params: { account: value, source, name },
                search: search.version === undefined ? {} : { version: search.version },
              })
            }
          >
            {!accounts.some((each) => each.name === account) && (
              <option value={account}>{account}</option>
            )}
            {accounts.map((each) => (
              <option key={each.id} value={each.name}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error !== null && (
        <Problem
          error={error}
          what={`What runs in ${account} can't be read`}
          retry={() => void refetch()}
        />
      )}
      {running === undefined && error === null && <Loading what="what runs" />}
      {running !== undefined && (
        <DeployForm
          key={`${account}/${source}/${name}`}
          target={{ account, source, name, ...search }}
          running={running}
        />
      )}
    </>
  )
}
