import { startSeconds } from './check-stop.ts'
import { listeningIn } from './listening.ts'
import { DENIED_FILE } from './missing-part.ts'
import type { PodProblem } from './pod-problem.ts'
import { awaitsVolume } from './words.ts'

/** What the steps refer to. */
export interface StepsInput {
  readonly problem: PodProblem
  /** The component in the paths of overrides, e.g. `tools.search`. */
  readonly path: string
  /** The credentials that the component gets. */
  readonly credentialKeys: readonly string[]
  readonly logLines: readonly string[]
  /** What to do about what the log says of other things than the program. */
  readonly logSteps?: readonly string[]
  /** What the component's container asks for, e.g. `{"cpu": "2"}`. */
  readonly requests: Readonly<Record<string, string>>
  /** What it may use at most. */
  readonly limits: Readonly<Record<string, string>>
  /** Whether a pod of an earlier revision is ready. */
  readonly isEarlierReady: boolean
}

/** Words of a log that suggest that a service has refused a credential. */
const REFUSED = new RegExp(
  [
    String.raw`\b40[13]\b`,
    'unauthori[sz]ed|forbidden|(?:access|permission) denied|authentication (?:failed|error)',
    '(?:invalid|incorrect|wrong|bad|missing|expired)[ _-](?:api[ _-]?)?' +
      '(?:key|token|credential|password)',
    '(?:key|token|credential|password)s? (?:(?:is|are|was|were|has|have|been|not) )*' +
      '(?:invalid|valid|incorrect|wrong|expired|revoked|rejected|refused|accepted)',
  ].join('|'),
  'i',
)
/** Words of a log by programs whose language runtime got no more memory. */
const OUT_OF_MEMORY = /heap out of memory|MemoryError|OutOfMemoryError|cannot allocate memory/i
/** The scheduler's words if even an empty node would be too small, on all nodes. */
const TOO_LARGE = /preemption: 0\/(\d+) nodes are available: \1 Preemption is not helpful/
const CHECK_REGISTRY = '; check the name of the registry, too'
const MAX_KEYS = 10
const VOLUME_STEP =
  'Wait some minutes. If the volume is not created, ask the operator about the storage class.'
/** Words of a log by programs that found a disk full. */
const DISK_FULL = /ENOSPC|no space left on device|disk quota exceeded/i
/** A program that ran for this long has started. */
const STARTED_MS = 30_000

/** Returns what the user can do about a failure, one step each, the most promising first. */
export function nextSteps(input: StepsInput): string[] {
  const { logSteps = [] } = input
  const steps = [...credentialSteps(input), ...logSteps, ...reasonSteps(input)]
  if (!input.isEarlierReady) return steps
  return [...steps, 'A pod of an earlier revision is still ready. To keep to that one, roll back.']
}

/** Returns those of the steps that follow from what the log says, so that none is a guess. */
export function stepsFromLog(input: StepsInput): string[] {
  return [...(input.logSteps ?? []), ...listeningSteps(input)]
}

function credentialSteps({ credentialKeys, logLines }: StepsInput): string[] {
  const log = logLines.filter((line) => !DENIED_FILE.test(line)).join('\n')
  const named = credentialKeys.filter((key) => log.includes(key))
  const send = 'deploy again with another value in `user_credentials`'
  if (named.length > 0)
    return [`The log names ${listOf(named)}. If the agent refused the value, ${send}.`]
  if (credentialKeys.length === 0 || !REFUSED.test(log)) return []
  return [`The log mentions a refusal. If it is about ${listOf(credentialKeys, 'or')}, ${send}.`]
}

function reasonSteps(input: StepsInput): string[] {
  const { problem, path } = input
  const { reason, message, container } = problem
  switch (reason) {
    case 'OOMKilled':
      return [memoryStep(input)]
    case 'Unhealthy':
    case 'NotReady':
      return checkSteps(input)
    case 'ErrImagePull':
    case 'ImagePullBackOff':
    case 'InvalidImageName':
      return [
        `Check the image in the spec (${container?.spec?.image ?? 'unknown'}), and that it was ` +
          `pushed to that registry${/no such registry/.test(message) ? CHECK_REGISTRY : ''}. If ` +
          'the registry needs credentials, the operator must configure them.',
      ]
    case 'Unschedulable':
      return [awaitsVolume(problem.original) ? VOLUME_STEP : roomStep(input)]
    case 'FailedCreate':
      return ['Deploy fewer or smaller replicas, or ask the operator about this limit or rule.']
    case 'Evicted':
      return [`Write less to the file system of the container${spaceOf(input)}, or use a volume.`]
    case 'CreateContainerConfigError':
      return ['Deploy again, which creates missing objects.']
    case 'CrashLoopBackOff':
    case 'Error':
      if (/keep running/.test(message))
        return [
          'Make the program keep running: keep its server listening. Its log may say why it ended.',
          'For work that ends, use an ingestion.',
        ]
      if (OUT_OF_MEMORY.test(input.logLines.join('\n')))
        return [
          `The program got no more memory. ${memoryStep(input)} Its own limit, such as ` +
            '--max-old-space-size of Node.js, may have to grow, too.',
        ]
      if (DISK_FULL.test(input.logLines.join('\n')))
        return [
          `The program found no space left${spaceOf(input)}: let it write less, or give it a ` +
            'larger volume.',
        ]
      if (path.startsWith('ingestion.'))
        return ['Read the log of the run, deploy a build that repairs it, and start a run.']
      if (input.logSteps !== undefined && input.logSteps.length > 0) return []
      if (hadStarted(problem))
        return [
          'The program had started, and ended later. Read the log of the container, and register ' +
            'a build that keeps running.',
        ]
      return ['Read the log of the container, and register a build that starts.']
    case 'StartError':
    case 'ContainerCannotRun':
    case 'RunContainerError':
    case 'CreateContainerError':
      return ['Correct the image, and register a build with it.']
    default:
      return []
  }
}

/** The space that a pod has on its node, in words. */
function spaceOf({ limits }: StepsInput): string {
  const space = limits['ephemeral-storage']
  return space === undefined ? '' : ` (it has ${space} besides its volumes)`
}

/** Whether a program that has ended ran for longer than its start takes. */
function hadStarted({ container }: PodProblem): boolean {
  const { state, lastState } = container?.status ?? {}
  const { startedAt, finishedAt } = state?.terminated ?? lastState?.terminated ?? {}
  if (startedAt === undefined || finishedAt === undefined) return false
  return new Date(finishedAt).getTime() - new Date(startedAt).getTime() >= STARTED_MS
}

function memoryStep({ problem, path }: StepsInput): string {
  const example = doubled(problem.container?.spec?.resources?.limits?.['memory'])
  const override = `{"${path}.resources.limits.memory": "${example}"}`
  return `Deploy with a higher limit: "overrides": ${override}.`
}

/** What to do about a failed check if the log says where the program listens. */
function listeningSteps({ problem: { reason, container }, logLines }: StepsInput): string[] {
  if (reason !== 'Unhealthy' && reason !== 'NotReady') return []
  const port = portOf(container)
  const listening = listeningIn(logLines)
  if (listening !== undefined && port !== undefined && listening.port !== port)
    return [
      `The log says that the program listens on port ${listening.port}, but the spec says port ` +
        `${port}: correct \`port\` in the spec, or let the program listen on port ${port}.`,
    ]
  if (listening?.isLocal === true)
    return [
      `The log says that the program listens on 127.0.0.1, which nothing outside of its pod ` +
        `reaches: let it listen on port ${listening.port} of 0.0.0.0.`,
    ]
  return []
}

function checkSteps(input: StepsInput): string[] {
  const fromLog = listeningSteps(input)
  if (fromLog.length > 0) return fromLog
  const { problem, path, logLines } = input
  const { message, container } = problem
  const port = portOf(container)
  const listening = listeningIn(logLines)
  const answer =
    'Make the program answer this check, or correct `healthcheck` and `port` in the spec.'
  if (/nothing listens/.test(message)) {
    const listen = `listen on port ${port ?? ''} of 0.0.0.0, not of 127.0.0.1.`
    const patience = message.startsWith('the startup') ? startTimeOf(container) : undefined
    if (patience === undefined || listening !== undefined)
      return [`Let the program ${listen}`, answer]
    return [
      `The log names no port, so the program may still start; it has ${patience} for that. If it ` +
        `has started, let it ${listen}`,
      answer,
    ]
  }
  const steps = [
    answer,
    'To change the check until the override is removed, deploy with "overrides": ' +
      `{"${path}.healthcheck": {"path": "PATH"}}, where PATH is what the program answers.`,
  ]
  if (/answered with 40[13]/.test(message))
    return ['Let the program answer this path without credentials: a check sends none.', ...steps]
  return steps
}

function portOf(container: PodProblem['container']): number | undefined {
  return container?.spec?.ports?.[0]?.containerPort
}

/** How long a container may take to start, in words; undefined after a restart. */
function startTimeOf(container: PodProblem['container']): string | undefined {
  const probe = container?.spec?.startupProbe
  if (probe === undefined || (container?.status.restartCount ?? 0) > 0) return undefined
  return `${Math.round(startSeconds(probe) / 60)} minutes`
}

function roomStep(input: StepsInput): string {
  const lower = lowerStep(input)
  if (TOO_LARGE.test(input.problem.original))
    return `${lower}: no node is that large, so undeploying agents does not help.`
  return (
    `${lower}, undeploy agents that you no longer need, or ask the operator for more room. If no ` +
    'node is that large, undeploying does not help.'
  )
}

/** Names the requests that no node has room for, with their amounts. */
function lowerStep({ problem, path, requests }: StepsInput): string {
  const lacking = Object.keys(requests).filter((name) => problem.message.includes(name))
  const fields = (lacking.length === 0 ? Object.keys(requests) : lacking).map(
    (name) => `"${path}.resources.requests.${name}" (now ${requests[name]})`,
  )
  return fields.length === 0
    ? `Lower "${path}.resources.requests" with an override`
    : `Lower ${listOf(fields)} with an override`
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
