import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useChange } from './use-change.ts'

interface RestartDialogProps {
  readonly agent: AgentPath
  readonly namespace: string
  readonly pod: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks, and restarts a pod. */
export function RestartDialog(props: RestartDialogProps) {
  const { agent, namespace, pod, onDone, onClose } = props
  const restart = useChange(agent, async () => {
    const params = { path: { namespace, pod }, query: { account: agent.account } }
    await client.POST('/api/v1/deployments/{namespace}/pods/{pod}/restart', { params })
    onDone()
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
