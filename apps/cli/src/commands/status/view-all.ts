import { STATE_STYLES } from '../../deployments/states.ts'
import { table, type Block, type Cell, type Table } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'
import type { AllStatus, DeploymentSummary } from './types.ts'

/** The deployments of an account. */
export function viewAll({ list }: AllStatus): readonly Block[] {
  return [tableOf(list.deployments, 'nothing is deployed yet: slipway deploy AGENT')]
}

/** A line for each deployment that has changed. */
export function viewChangedDeployments({ changed }: AllStatus): readonly Block[] {
  return changed.length === 0 ? [] : [{ ...tableOf(changed, ''), columns: [] }]
}

function tableOf(deployments: readonly DeploymentSummary[], empty: string): Table {
  return table({
    columns: [
      { title: 'AGENT', shrinkTo: 8 },
      { title: 'STATE' },
      { title: 'REV', align: 'right', fromColumns: 50 },
      { title: 'VERSION', shrinkTo: 7, fromColumns: 60 },
      { title: 'BUILD', shrinkTo: 7, fromColumns: 90 },
      { title: 'DEPLOYED' },
      { title: 'PODS', align: 'right' },
      { title: 'REASON', shrinkTo: 6, fromColumns: 70 },
    ],
    rows: deployments.map((deployment) => [
      deployment.name,
      { text: deployment.state, style: STATE_STYLES[deployment.state] },
      String(deployment.revision),
      deployment.version ?? '',
      deployment.build_id,
      ago(deployment.deployed_at),
      readyPods(deployment),
      deployment.reason ?? '',
    ]),
    empty,
  })
}

/** How many pods are ready, as `2/3`. Empty if the server is a release that does not count them. */
function readyPods({ components }: DeploymentSummary): Cell {
  const counts: readonly Partial<DeploymentSummary['components'][number]>[] = components
  if (counts.some((each) => each.pod_count === undefined)) return ''
  const count = components.reduce((sum, each) => sum + each.pod_count, 0)
  const ready = components.reduce((sum, each) => sum + each.ready_pod_count, 0)
  const text = `${ready}/${count}`
  return ready === count ? text : { text, style: 'warning' }
}
