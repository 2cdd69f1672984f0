import type { PodProblem } from './pod-problem.ts'

/** What the steps refer to. */
export interface StepsInput {
  readonly problem: PodProblem
  /** The component in the paths of overrides, e.g. `tools.search`. */
  readonly path: string
  /** The credentials that the component gets. */
  readonly credentialKeys: readonly string[]
  readonly logLines: readonly string[]
}

/** Words of a log that suggest that a service has refused a credential. */
const REFUSED = new RegExp(
  [
    String.raw`\b40[13]\b`,
    'unauthori[sz]ed|forbidden|access denied|authentication (?:failed|error)',
    '(?:invalid|incorrect|wrong|bad|missing|expired)[ _-](?:api[ _-]?)?' +
      '(?:key|token|credential|password)',
  ].join('|'),
  'i',
)
const MAX_KEYS = 10

/** Returns what the user can do about a failure, one step each, the most promising first. */
export function nextSteps(input: StepsInput): string[] {
  return [...credentialSteps(input), ...reasonSteps(input)]
}

function credentialSteps({ credentialKeys, logLines }: StepsInput): string[] {
  const log = logLines.join('\n')
  const named = credentialKeys.filter((key) => log.includes(key))
  const send = 'deploy again with another value in `user_credentials`'
  if (named.length > 0)
    return [`The log names ${listOf(named)}. If the agent refused the value, ${send}.`]
  if (credentialKeys.length === 0 || !REFUSED.test(log)) return []
  return [`The log mentions a refusal. If it is about ${listOf(credentialKeys, 'or')}, ${send}.`]
}

function reasonSteps({ problem, path }: StepsInput): string[] {
  const { reason, message, container } = problem
  switch (reason) {
    case 'OOMKilled': {
      const example = doubled(container?.spec?.resources?.limits?.['memory'])
      const override = `{"${path}.resources.limits.memory": "${example}"}`
      return [`Deploy with a higher limit: "overrides": ${override}.`]
    }
    case 'Unhealthy':
    case 'NotReady':
      return [
        'Make the program answer this check, or correct `healthcheck` and `port` in the spec.',
        `To change the check for a deploy, use the override "${path}.healthcheck".`,
      ]
    case 'ErrImagePull':
    case 'ImagePullBackOff':
    case 'InvalidImageName':
      return [
        'Check the image in the spec, and that it was pushed to that registry. If the registry ' +
          'needs credentials, the operator must configure them.',
      ]
    case 'Unschedulable':
      return [
        `Lower "${path}.resources.requests" with an override, undeploy agents that you no longer ` +
          'need, or ask the operator for more room.',
      ]
    case 'FailedCreate':
      return ['Deploy fewer or smaller replicas, or ask the operator about this limit or rule.']
    case 'Evicted':
      return ['Write less to the file system of the container, or use a volume.']
    case 'CreateContainerConfigError':
      return ['Deploy again, which creates missing objects.']
    case 'CrashLoopBackOff':
    case 'Error':
      return /keep running/.test(message)
        ? ['Make the program keep running; for work that ends, use an ingestion.']
        : ['Read the log of the container, and register a build that starts.']
    case 'StartError':
    case 'ContainerCannotRun':
    case 'RunContainerError':
    case 'CreateContainerError':
      return ['Correct the image, and register a build with it.']
    default:
      return []
  }
}

function listOf(keys: readonly string[], word = 'and'): string {
  const shown = keys.slice(0, MAX_KEYS)
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`
}

/** A quantity that is twice as large; `1Gi` if this one can't be doubled as text. */
function doubled(quantity: string | undefined): string {
  const match = /^(\d{1,12})([kKMGT]i?)?$/.exec(quantity ?? '')
  return match === null ? '1Gi' : `${Number(match[1]) * 2}${match[2] ?? ''}`
}
