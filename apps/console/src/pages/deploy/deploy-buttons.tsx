import type { Schemas } from '@slipway/client'
import { changesNothing } from '@slipway/words/plan'
import { Link } from '@tanstack/react-router'

import type { AgentPath } from '../../api/queries.ts'

interface DeployButtonsProps {
  readonly agent: AgentPath
  /** Undefined until it was asked for. */
  readonly plan: Schemas['ValidDeployment'] | undefined
  readonly isChecking: boolean
  readonly isDeploying: boolean
  /** Whether the form is there. */
  readonly isReady: boolean
}

/** Asks for the plan, then deploys. A deploy that changes nothing is possible, but not advised. */
export function DeployButtons(props: DeployButtonsProps) {
  const { agent, plan, isChecking, isDeploying, isReady } = props
  const { account, name } = agent
  if (plan === undefined)
    return (
      <div className="form-buttons">
        <button type="submit" className="button primary" disabled={isChecking || !isReady}>
          {isChecking ? 'Checking …' : 'Show what the deploy will do'}
        </button>
      </div>
    )
  const isIdle = changesNothing(plan.plan ?? [])
  return (
    <div className="form-buttons">
      {isIdle && (
        <Link
          className="button primary"
          to="/accounts/$account/deployments/$name"
          params={{ account, name }}
        >
          Go to the deployment
        </Link>
      )}
      <button type="submit" className={isIdle ? 'button' : 'button primary'} disabled={isDeploying}>
        {isDeploying ? 'Deploying …' : `Deploy to ${account}${isIdle ? ' all the same' : ''}`}
      </button>
    </div>
  )
}
