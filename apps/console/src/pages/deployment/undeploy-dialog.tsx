import type { Schemas } from '@slipway/client'

import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useChange } from './use-change.ts'

interface UndeployDialogProps {
  readonly agent: AgentPath
  readonly deployment: Schemas['Deployment']
  readonly onClose: () => void
}

/** Says what will be deleted, asks, and undeploys an agent. */
export function UndeployDialog({ agent, deployment, onClose }: UndeployDialogProps) {
  const undeploy = useChange(agent, async () => {
    await client.POST('/api/v1/undeploy', { body: { ...agent } })
    // Before the deployment is gone, and the dialog with it: else the next one would open it again.
    onClose()
  })
  return (
    <Confirm
      title={`Delete this deployment of ${agent.name} in ${agent.account}?`}
      action="Undeploy"
      isDangerous
      isRunning={undeploy.isPending}
      error={undeploy.error}
      onConfirm={() => undeploy.mutate()}
      onClose={onClose}
    >
      <p>
        The namespace <code>{deployment.k8s_namespace}</code> is deleted with everything in it: its
        pods, its credentials, and the data in its volumes.
      </p>
      <ul>
        {deployment.components.map(({ name, pods }) => (
          <li key={name}>
            <bdi>{name}</bdi>: {pods.length} {pods.length === 1 ? 'pod' : 'pods'}
          </li>
        ))}
      </ul>
    </Confirm>
  )
}
