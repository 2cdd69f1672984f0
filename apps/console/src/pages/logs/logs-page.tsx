import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { deploymentQuery } from '../../api/queries.ts'
import { withFilter } from '../../app/search.ts'
import { Empty } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { LogLines } from './log-lines.tsx'
import { PodChoice } from './pod-choice.tsx'
import { useLog, type Log } from './use-log.ts'

const route = getRouteApi('/accounts/$account/deployments/$name/logs')

/** The log of all pods of an agent, or of one container. */
export function LogsPage() {
  const agent = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: deployment } = useQuery(deploymentQuery(agent))
  const log = useLog(agent, deployment?.k8s_namespace, search)
  useTitle(`Log of ${search.pod ?? agent.name}`)
  const words = search.q?.toLowerCase()
  const shown = useMemo(
    () =>
      words === undefined
        ? log.lines
        : log.lines.filter(({ text }) => text.toLowerCase().includes(words)),
    [log.lines, words],
  )
  const setWords = useCallback(
    (q: string) =>
      void navigate({
        search: (known) => withFilter(known, 'q', q),
        replace: true,
      }),
    [navigate],
  )
  return (
    <>
      <div className="toolbar">
        <PodChoice
          deployment={deployment ?? undefined}
          search={search}
          onChange={(chosen) => void navigate({ search: chosen })}
        />
        <SearchField label="Only lines with" value={search.q ?? ''} onChange={setWords} />
        <span className="faint" role="status">
          {stateOf(log, shown.length)}
        </span>
      </div>
      {log.error !== null && (
        <Problem error={log.error} what="The log can't be read" retry={log.readAgain} />
      )}
      {shown.length === 0 && log.state !== 'reading' && log.error === null && (
        <Empty title={words === undefined ? 'The log has no lines yet' : 'No line matches'} />
      )}
      {shown.length > 0 && <LogLines lines={shown} />}
    </>
  )
}

function stateOf({ lines, dropped, state }: Log, shown: number): string {
  if (state === 'reading') return 'reading …'
  const filtered = shown === lines.length ? '' : `${shown} of `
  const older = dropped === 0 ? '' : `, ${dropped} older ones not shown`
  const ending = state === 'following' ? 'following' : 'ended'
  return `${filtered}${lines.length} lines${older}, ${ending}`
}
