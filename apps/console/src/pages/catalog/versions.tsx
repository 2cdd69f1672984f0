import type { Schemas } from '@slipway/client'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'
import { ExactTime } from '../../ui/exact-time.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

interface VersionsProps {
  readonly agent: AgentPath
  /** The account to deploy into; undefined if it isn't known yet. */
  readonly into: string | undefined
  /** The build that runs there; undefined if none does. */
  readonly running: string | undefined
  readonly versions: readonly Schemas['Version'][]
  readonly hasMore: boolean
}

/** The versions and builds of an agent, with their warnings. */
export function Versions({ agent, into, running, versions, hasMore }: VersionsProps) {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'center' })
  }, [hash])
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <TableFrame label="Table of versions" isStacked>
        <table>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Build</th>
              <th scope="col">State</th>
              <th scope="col">Since</th>
              <th scope="col">Warnings</th>
              <th scope="col">
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr
                key={version.build_id}
                id={idOf(version)}
                aria-current={hash === idOf(version) ? true : undefined}
              >
                <th scope="row">{version.version ?? '-'}</th>
                <td data-label="Build">
                  <code>{version.build_id}</code>
                  {version.commit && <CommitLine commit={version.commit} />}
                </td>
                <td>
                  <VersionState version={version} />
                  {version.build_id === running && (
                    <span className="detail good">runs in {into}</span>
                  )}
                </td>
                <td data-label="Since">
                  <ExactTime time={version.published_at ?? version.registered_at ?? ''} />
                </td>
                <td className="words">
                  {version.validation_warnings?.map(({ field, message }) => (
                    <p key={`${field} ${message}`} className="warning">
                      <code>{visible(field)}</code> <WithCode text={message} />
                    </p>
                  ))}
                </td>
                <td className="actions">
                  {into !== undefined && (
                    <Link
                      className="button small"
                      aria-label={`Deploy ${version.version ?? version.build_id}`}
                      to="/accounts/$account/deploy/$source/$name"
                      params={{ account: into, source: agent.account, name: agent.name }}
                      search={
                        version.version === undefined
                          ? { build: version.build_id }
                          : { version: version.version }
                      }
                    >
                      Deploy
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {hasMore && <p className="faint">Older ones are not shown.</p>}
    </section>
  )
}

function CommitLine({ commit }: { readonly commit: Schemas['Commit'] }) {
  const { id, branch, message, has_changes: hasChanges, ci_run_url: run } = commit
  const words = [branch, message].filter((part) => part !== undefined).map(visible)
  return (
    <span className="detail faint">
      <code title={id}>{id.slice(0, 7)}</code>
      {hasChanges === true && ' with changes'}
      {words.length > 0 && ` ${words.join(': ')}`}
      {run !== undefined && (
        <>
          {' '}
          <a href={run} rel="noreferrer">
            CI run
          </a>
        </>
      )}
    </span>
  )
}

function idOf({ build_id: build }: Schemas['Version']): string {
  return `build-${build}`
}

function VersionState({ version: { version, yanked } }: { readonly version: Schemas['Version'] }) {
  if (version === undefined) return <span className="faint">build</span>
  return yanked === true ? (
    <span className="warning">yanked</span>
  ) : (
    <span className="good">published</span>
  )
}
