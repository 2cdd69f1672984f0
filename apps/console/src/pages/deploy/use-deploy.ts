import type { Schemas } from '@slipway/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'

import { client } from '../../api/client.ts'
import { CURRENT, deployBody, NO_VALUES, type DeployValues, type Target } from './deploy-values.ts'

type Valid = Schemas['ValidDeployment']

/**
 * What the user has typed, the plan for it, and the deploy. Credentials exist only here: they are
 * forgotten after a deploy, and when the page is left. A change ends the plan, so that only what
 * was shown is deployed.
 */
export function useDeploy(target: Target) {
  const { account, name } = target
  const queryClient = useQueryClient()
  const [values, setValues] = useState(NO_VALUES)
  const [plan, setPlan] = useState<Valid>()
  const check = useMutation({
    mutationFn: async () => {
      const params = { query: { dry_run: 'server' as const } }
      const body = deployBody(target, values)
      return (await client.POST('/api/v1/deploy/validate', { params, body })).data
    },
    onSuccess: setPlan,
    gcTime: 0,
  })
  const deploy = useMutation({
    mutationFn: async ({ build_id: planned }: Valid) => {
      const body = deployBody(target, values)
      // What is deployed is what was planned, even if there is a newer build now.
      const build = target.build === CURRENT ? CURRENT : planned
      return (await client.POST('/api/v1/deploy', { body: { ...body, build_id: build } })).data
    },
    onSuccess: () => {
      setValues(NO_VALUES)
      setPlan(undefined)
    },
    onError: () => setPlan(undefined),
    onSettled: async () =>
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['deployment', account, name] }),
        queryClient.invalidateQueries({ queryKey: ['revisions', account, name] }),
        queryClient.invalidateQueries({ queryKey: ['deployments', account] }),
      ]),
    gcTime: 0,
  })
  const { reset: forgetCheck } = check
  const { reset: forgetDeploy } = deploy
  const change = useCallback(
    (changed: Partial<DeployValues>) => {
      setValues((known) => ({ ...known, ...changed }))
      setPlan(undefined)
      forgetDeploy()
    },
    [forgetDeploy],
  )
  useEffect(() => {
    // The browser may keep a page that is left, to show it again.
    const forget = () => {
      setValues(NO_VALUES)
      setPlan(undefined)
      forgetCheck()
    }
    window.addEventListener('pagehide', forget)
    return () => window.removeEventListener('pagehide', forget)
  }, [forgetCheck])
  return { values, change, plan, check, deploy }
}
