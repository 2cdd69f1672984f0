import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { AgentPath } from '../../api/queries.ts'

/** Changes a deployment, then reads it again. */
export function useChange({ account, name }: AgentPath, change: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () =>
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['deployment', account, name] }),
        queryClient.invalidateQueries({ queryKey: ['revisions', account, name] }),
        queryClient.invalidateQueries({ queryKey: ['deployments', account] }),
      ]),
  })
}
