import { Type } from 'typebox'

import { about, AnyText, TextMap } from '../../http/schemas/kinds.ts'
import { AccountName, Namespace } from '../names.ts'
import { configMapExample, restartedExample, triggeredExample } from './examples.ts'

/** The account whose ownership of the namespace is checked. */
export const OwnerQuery = Type.Object({
  account: about(AccountName, 'Account that owns the deployment'),
})

export const ConfigMap = Type.Object(
  { name: AnyText('Its name'), namespace: Namespace, data: TextMap('The data') },
  {
    title: 'ConfigMap',
    description: 'A configuration map of a deployment',
    examples: [configMapExample],
  },
)

export const Restarted = Type.Object(
  {
    status: Type.Literal('restarting', { description: 'The cluster recreates the pod' }),
    pod: AnyText('The deleted pod'),
  },
  { title: 'RestartedPod', description: 'The pod was deleted', examples: [restartedExample] },
)

export const Triggered = Type.Object(
  {
    status: Type.Literal('triggered', { description: 'The cluster accepted the job' }),
    job_name: AnyText('Name of the job'),
    namespace: Namespace,
  },
  {
    title: 'TriggeredIngestion',
    description: 'The job was created',
    examples: [triggeredExample],
  },
)
