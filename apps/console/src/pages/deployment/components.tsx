import type { Schemas } from '@slipway/client'
import { lastExit, podCount, podsOf } from '@slipway/words/pods'
import { Link } from '@tanstack/react-router'
import { Fragment, useMemo, useState } from 'react'

import type { AgentPath } from '../../api/queries.ts'
import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'
import { usePageActions } from '../../ui/page-actions.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { RestartDialog } from './restart-dialog.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

interface ComponentsProps {
  readonly deployment: Schemas['Deployment']
  readonly agent: AgentPath
  readonly onRestarted: (pod: string) => void
}

/** The components of a deployment, each with its pods below it. */
export function Components({ deployment, agent, onRestarted }: ComponentsProps) {
  const [restarted, setRestarted] = useState<string>()
  const actions = useMemo(
    () =>
      podsOf(deployment).map(({ name }) => ({
        label: `Restart pod ${name} …`,
        run: () => setRestarted(name),
      })),
    [deployment],
  )
  usePageActions(actions)
  return (
    <section aria-labelledby="components">
      <h2 id="components">Components</h2>
      <TableFrame label="Table of components" isStacked>
        <table className="components">
          <thead>
            <tr>
              <th scope="col">Component or pod</th>
              <th scope="col">State</th>
              <th scope="col">Revision</th>
              <th scope="col">Reason</th>
              <th scope="col" className="number">
                Restarts
              </th>
              <th scope="col">Last exit</th>
              <th scope="col">
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deployment.components.map((component) => (
              <Fragment key={component.name}>
                <tr className="component">
                  <th scope="row">
                    <bdi>{component.name}</bdi> <span className="faint">{component.kind}</span>
                  </th>
                  <td>
                    <StateBadge state={component.state} />
                    <span className="detail">{podCount(component)}</span>
                  </td>
                  <td className="words" colSpan={5}>
                    <WithCode text={component.reason ?? ''} />
                  </td>
                </tr>
                {component.pods.map((pod) => (
                  <PodRow
                    key={pod.name}
                    pod={pod}
                    agent={agent}
                    // A run may be older than the revision.
                    revision={component.kind === 'ingestion' ? undefined : deployment.revision}
                    onRestart={setRestarted}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {restarted !== undefined && (
        <RestartDialog
          agent={agent}
          namespace={deployment.k8s_namespace}
          pod={restarted}
          onDone={() => onRestarted(restarted)}
          onClose={() => setRestarted(undefined)}
        />
      )}
    </section>
  )
}

interface PodRowProps {
  readonly pod: Schemas['Pod']
  readonly agent: AgentPath
  /** The revision that is live; undefined if it says nothing about the pod. */
  readonly revision: number | undefined
  readonly onRestart: (pod: string) => void
}

function PodRow({ pod, agent, revision, onRestart }: PodRowProps) {
  const { name, ready, phase, reason, restarts, former = false } = pod
  const tone = former ? 'faint' : ready ? 'good' : 'warning'
  return (
    <tr className="pod">
      <th scope="row">
        <Link
          to="/accounts/$account/deployments/$name/logs"
          params={agent}
          search={{ pod: name }}
          title={`Log of ${name}`}
        >
          {name}
        </Link>
      </th>
      <td>
        <span className={tone}>{ready ? 'ready' : 'not ready'}</span>
      </td>
      <td data-label="Revision">{former ? 'an earlier one' : revision}</td>
      <td className="words">{visible(reason ?? (ready ? '' : phase.toLowerCase()))}</td>
      <td data-label="Restarts" className={restarts > 0 ? 'number warning' : 'number'}>
        {restarts}
      </td>
      <td data-label="Last exit" className="words">
        {visible(lastExit(pod))}
      </td>
      <td className="actions">
        <button
          type="button"
          className="button small"
          aria-label={`Restart pod ${name}`}
          onClick={() => onRestart(name)}
        >
          Restart
        </button>
      </td>
    </tr>
  )
}
