import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Changes an account, then reads again what the page shows of it. */
export function useAccountChange<Result, Input = void>(
  account: string,
  change: (input: Input) => Promise<Result>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () =>
      await Promise.all([
        ...['member-list', 'members', 'tokens', 'usage'].map((kind) =>
          queryClient.invalidateQueries({ queryKey: [kind, account] }),
        ),
        queryClient.invalidateQueries({ queryKey: ['profile'] }),
      ]),
    // A new token is in the result.
    gcTime: 0,
  })
}
