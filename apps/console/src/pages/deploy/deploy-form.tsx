import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { templateQuery, type Running } from '../../api/deploy-queries.ts'
import { agentQuery } from '../../api/queries.ts'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { BuildChoice } from './build-choice.tsx'
import { runningBuild } from './build-choices.ts'
import { DeployButtons } from './deploy-buttons.tsx'
import { DeployFields } from './deploy-fields.tsx'
import { CURRENT, type Target } from './deploy-values.ts'
import { FieldProblems } from './field-problems.ts'
import { PartialDeploy } from './partial-deploy.tsx'
import { Plan } from './plan.tsx'
import { readTemplate } from './read-template.ts'
import { useDeploy } from './use-deploy.ts'

interface DeployFormProps {
  readonly target: Target
  readonly running: Running
}

/** The form of a deploy, the plan for it, and its result. */
export function DeployForm({ target, running }: DeployFormProps) {
  const { account, source, name, version, build } = target
  const { deployment, settings } = running
  const navigate = useNavigate()
  const { values, change, plan, check, deploy } = useDeploy(target)
  // The account itself has what it runs, also if it is the agent of another account.
  const described = {
    account: build === CURRENT ? account : source,
    name,
    ...(version !== undefined && { version }),
    ...(build !== undefined && { build }),
  }
  const { data, error, refetch } = useQuery(templateQuery(described))
  const { data: agent } = useQuery(agentQuery({ account: source, name }))
  const template = useMemo(() => (data === undefined ? undefined : readTemplate(data)), [data])
  const failure = deploy.error ?? check.error
  const problems = useMemo(() => new FieldProblems(failure), [failure])
  const former = deployment?.source_account ?? account

  if (deploy.data?.status === 'partial')
    return <PartialDeploy agent={{ account, name }} result={deploy.data} />
  const start = () => {
    if (plan === undefined) {
      deploy.reset()
      return check.mutate()
    }
    deploy.mutate(plan, {
      onSuccess: ({ status }) => {
        if (status === 'partial') return
        void navigate({
          to: '/accounts/$account/deployments/$name',
          params: { account, name },
        })
      },
    })
  }
  const isRunning = check.isPending || deploy.isPending
  return (
    <form
      className="deploy"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRunning) start()
      }}
    >
      {deployment !== undefined && former !== source && (
        <p className="warning">
          {name} of {former} runs here now. A deploy replaces it with that of {source}.
        </p>
      )}
      <BuildChoice
        search={target}
        versions={agent?.versions ?? []}
        running={runningBuild(deployment, former === source ? undefined : former)}
        onChange={(search) => {
          change({})
          void navigate({ to: '.', search, replace: true })
        }}
      />
      {error !== null && (
        <Problem error={error} what="The build can't be read" retry={() => void refetch()} />
      )}
      {template === undefined && error === null && <Loading what="what the agent needs" />}
      {template !== undefined && (
        <fieldset className="plain" disabled={isRunning}>
          <DeployFields
            described={described}
            template={template}
            settings={settings}
            values={values}
            problems={problems}
            failure={failure}
            onChange={change}
          />
        </fieldset>
      )}
      {plan !== undefined && <Plan validation={plan} />}
      <DeployButtons
        agent={{ account, name }}
        plan={plan}
        isChecking={check.isPending}
        isDeploying={deploy.isPending}
        isReady={template !== undefined}
      />
    </form>
  )
}
