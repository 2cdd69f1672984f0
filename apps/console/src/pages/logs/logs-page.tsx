import { ApiError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'

import { deploymentQuery } from '../../api/queries.ts'
import { withFilter } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { Empty } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { LogActions } from './log-actions.tsx'
import { LogLines } from './log-lines.tsx'
import { LogState } from './log-state.tsx'
import { PodChoice } from './pod-choice.tsx'
import { useLog } from './use-log.ts'
import { useMatching } from './use-matching.ts'

const route = getRouteApi('/accounts/$account/deployments/$name/logs')

/** The log of all pods of an agent, or of one container. */
export function LogsPage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: deployment } = useQuery(deploymentQuery(agent))
  const { error, readAgain, ...log } = useLog(agent, deployment?.k8s_namespace, search)
  const { pod, q: words } = search
  useTitle(`Log of ${pod ?? agent.name}`)
  const shown = useMatching(log.lines, words)
  const setWords = useCallback(
    (q: string) =>
      void navigate({
        search: (known) => withFilter(known, 'q', q),
        replace: true,
      }),
    [navigate],
  )
  const isGone = error instanceof ApiError && error.code === 'pod_not_found'
  return (
    <>
      <div className="toolbar">
        <PodChoice
          deployment={deployment ?? undefined}
          search={search}
          onChange={(chosen) => void navigate({ search: chosen })}
        />
        <SearchField label="Only lines with" value={words ?? ''} onChange={setWords} />
        <LogState log={log} shown={shown.length} />
        <LogActions agent={agent.name} lines={shown} />
      </div>
      {error !== null && !isGone && (
        <Problem error={error} what="The log can't be read" retry={readAgain} />
      )}
      {isGone && (
        <Empty title={`The pod ${visible(pod ?? '')} is gone`}>
          <p>The log of all pods has the last lines of those that failed within the last hour.</p>
          <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
            Show the log of all pods
          </button>
        </Empty>
      )}
      {shown.length === 0 && log.state !== 'reading' && error === null && (
        <Empty title={words === undefined ? 'The log has no lines yet' : 'No line matches'} />
      )}
      {shown.length > 0 && (
        <LogLines
          key={words}
          agent={agent.name}
          lines={shown}
          isOfSeveralPods={pod === undefined}
        />
      )}
    </>
  )
}
