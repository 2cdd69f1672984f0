import { table, type Block } from '../../output/blocks.ts'
import { asOptions } from '../../deployments/as-options.ts'
import { lastExit } from '@slipway/words/pods'
import type { OneStatus } from './types.ts'

/**
 * A deployment for a pipe: a row for each thing, which begins with what it is, its name and its
 * state.
 */
export function viewPlain({ deployment, revision, names }: OneStatus): readonly Block[] {
  const { name, state, reason = '', build_id: build, deployed_at: at } = deployment
  const version = revision?.version ?? ''
  const row = String(deployment.revision)
  const deployedBy = names.get(deployment.deployed_by) ?? deployment.deployed_by
  return [
    table({
      columns: [],
      rows: [
        ['deployment', name, state, row, build, version, at, deployedBy, reason],
        ...deployment.components.map((each) => [
          'component',
          each.name,
          each.state,
          each.kind,
          `${each.pods.filter(({ ready }) => ready).length}/${each.pods.length}`,
          each.reason ?? '',
        ]),
        ...deployment.components.flatMap((component) =>
          component.pods.map((pod) => [
            'pod',
            pod.name,
            pod.ready ? 'ready' : 'not ready',
            component.name,
            String(pod.restarts),
            lastExit(pod),
            pod.reason ?? '',
            pod.former === true ? 'former' : '',
          ]),
        ),
        ...(revision?.errors ?? []).map((error) => ['error', error]),
        ...(deployment.failures ?? []).map((each) => [
          'failure',
          each.pod ?? each.component,
          each.reason,
          each.message,
          ...each.next.map(asOptions),
        ]),
        ...(deployment.warnings ?? []).map((text) => ['warning', asOptions(text)]),
        ...deployment.service_endpoints.map((each) => ['endpoint', each.name, each.type, each.url]),
      ],
      empty: '',
    }),
  ]
}
