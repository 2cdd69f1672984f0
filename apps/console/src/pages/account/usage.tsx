import type { Schemas } from '@slipway/client'
import { amount } from '@slipway/words/amounts'
import { useQuery } from '@tanstack/react-query'

import { usageQuery } from '../../api/account-queries.ts'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { limitName } from './limit-names.ts'

const WARNING_SHARE = 0.8

/** How much of its limits an account uses. */
export function Usage({ account }: { readonly account: string }) {
  const { data, error, refetch } = useQuery(usageQuery(account))
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      {error !== null && (
        <Problem error={error} what="The usage can't be read" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="the usage" />}
      <ul className="limits">
        {data?.limits.map((limit) => (
          <LimitBar key={limit.name} limit={limit} />
        ))}
      </ul>
      {data !== undefined && data.unavailable.length > 0 && (
        <p className="warning">
          Missing, because a service is not available: {data.unavailable.map(limitName).join(', ')}
        </p>
      )}
    </section>
  )
}

function LimitBar({ limit: { name, description, used, limit, unit } }: { readonly limit: Limit }) {
  const share = limit > 0 ? Math.min(1, used / limit) : used > 0 ? 1 : 0
  const tone = share >= 1 ? 'bad' : share >= WARNING_SHARE ? 'warning' : 'good'
  return (
    <li title={description}>
      <span>{limitName(name)}</span>
      <span className={tone}>
        {amount(used, unit)} of {amount(limit, unit)}
      </span>
      <svg
        className={`limit-bar ${tone}`}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden
      >
        <rect width="100" height="4" className="limit-room" />
        <rect width={share * 100} height="4" fill="currentColor" />
      </svg>
    </li>
  )
}

type Limit = Schemas['Limit']
