import type { Schemas } from '@slipway/client'
import { settingChanges } from '@slipway/words/setting-changes'
import type { Difference } from '@slipway/words/json-diff'
import { useQuery } from '@tanstack/react-query'

import { revisionQuery } from '../../api/compare-query.ts'
import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'

type Revision = Schemas['Revision']

interface RevisionChangeProps {
  readonly agent: AgentPath
  readonly revision: Revision
  /** The revision before it; undefined if it is not in the list. */
  readonly earlier: Revision | undefined
  /** Whether to read and show what differs in the settings. */
  readonly isDetailed: boolean
}

const MOST_LINES = 4
const MOST_OF_VALUE = 80

/** What a revision changed: its build, and its settings. */
export function RevisionChange({ agent, revision, earlier, isDetailed }: RevisionChangeProps) {
  if (revision.rolled_back_to !== undefined) return `rollback to ${revision.rolled_back_to}`
  if (earlier === undefined) return revision.revision === 1 ? 'first deploy' : ''
  const isOtherBuild = revision.build_id !== earlier.build_id
  return (
    <>
      {isOtherBuild && `build ${nameOf(earlier)} → ${nameOf(revision)}`}
      {isDetailed ? (
        <SettingLines
          agent={agent}
          revision={revision}
          earlier={earlier}
          isOtherBuild={isOtherBuild}
        />
      ) : (
        !isOtherBuild && 'settings'
      )}
    </>
  )
}

interface SettingLinesProps {
  readonly agent: AgentPath
  readonly revision: Revision
  readonly earlier: Revision
  readonly isOtherBuild: boolean
}

function SettingLines({ agent, revision, earlier, isOtherBuild }: SettingLinesProps) {
  const { data: after } = useQuery(revisionQuery(agent, revision))
  const { data: before } = useQuery(revisionQuery(agent, earlier))
  if (after === undefined || before === undefined) return isOtherBuild ? null : 'settings'
  const changes = settingChanges(before.settings, after.settings)
  if (changes.length === 0)
    return isOtherBuild ? null : 'no setting; a value of a credential, or the platform'
  return (
    <ul className="fields">
      {changes.slice(0, MOST_LINES).map((change) => (
        <li key={change.path}>
          <code>{visible(change.path)}</code> {visible(inWords(change))}
        </li>
      ))}
      {changes.length > MOST_LINES && <li>and {changes.length - MOST_LINES} more</li>}
    </ul>
  )
}

function nameOf({ version, build_id: build }: Revision): string {
  return version ?? build
}

function inWords(change: Difference): string {
  if (!('new' in change)) return 'removed'
  return 'old' in change ? `${textOf(change.old)} → ${textOf(change.new)}` : textOf(change.new)
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MOST_OF_VALUE ? `${text.slice(0, MOST_OF_VALUE)} …` : text
}
