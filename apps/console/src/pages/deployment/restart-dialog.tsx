import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useChange } from './use-change.ts'

interface RestartDialogProps {
  readonly agent: AgentPath
  readonly namespace: string
  readonly pod: string
  readonly onClose: () => void
}

/** Asks, and restarts a pod. */
export function RestartDialog({ agent, namespace, pod, onClose }: RestartDialogProps) {
  const restart = useChange(agent, async () => {
    const params = { path: { namespace, pod }, query: { account: agent.account } }
    return await client.POST('/api/v1/deployments/{namespace}/pods/{pod}/restart', { params })
  })
  return (
    <Confirm
      title={`Restart pod ${pod}?`}
      action="Restart"
      isRunning={restart.isPending}
      error={restart.error}
      onConfirm={() => restart.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>The pod is deleted, and Kubernetes starts another one in its place.</p>
    </Confirm>
  )
}
