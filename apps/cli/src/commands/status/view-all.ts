import { STATE_STYLES } from '../../deployments/states.ts'
import { table, type Block, type Cell } from '../../output/blocks.ts'
import { ago } from '../../output/times.ts'
import type { AllStatus, DeploymentSummary } from './types.ts'

/** The deployments of an account. */
export function viewAll({ list }: AllStatus): readonly Block[] {
  return [tableOf(list.deployments, 'nothing is deployed yet: slipway deploy AGENT')]
}

/** A line for each deployment that has changed. */
export function viewChangedDeployments({ changed }: AllStatus): readonly Block[] {
  return changed.length === 0 ? [] : [tableOf(changed, '')]
}

function tableOf(deployments: readonly DeploymentSummary[], empty: string): Block {
  return table({
    columns: [
      { title: 'AGENT', shrinkTo: 8 },
      { title: 'STATE' },
      { title: 'REV', align: 'right', fromColumns: 50 },
      { title: 'BUILD', shrinkTo: 7, fromColumns: 80 },
      { title: 'DEPLOYED' },
      { title: 'RUNS', align: 'right', fromColumns: 60 },
      { title: 'REASON', shrinkTo: 6, fromColumns: 70 },
    ],
    rows: deployments.map((deployment) => [
      deployment.name,
      { text: deployment.state, style: STATE_STYLES[deployment.state] },
      String(deployment.revision),
      deployment.build_id,
      ago(deployment.deployed_at),
      readyComponents(deployment),
      deployment.reason ?? '',
    ]),
    empty,
  })
}

/** How many components are ready, as `2/3`. */
function readyComponents({ components }: DeploymentSummary): Cell {
  const ready = components.filter(({ state }) => state === 'ready').length
  const text = `${ready}/${components.length}`
  return ready === components.length ? text : { text, style: 'warning' }
}
