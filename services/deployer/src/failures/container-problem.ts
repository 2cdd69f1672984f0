import type {
  V1Container,
  V1ContainerStateTerminated,
  V1ContainerStatus,
  V1PodSpec,
} from '@kubernetes/client-node'

import { pullProblem } from './pull-problem.ts'
import { startWords, type Words } from './words.ts'

/** A container that isn't ready, and why. */
export interface ContainerProblem extends Words {
  /** One word of Kubernetes. */
  readonly reason: string
  readonly exitCode?: number
}

/** Waiting reasons of any container that is starting. */
const ORDINARY_REASONS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing'])
/** A container that isn't ready after this many restarts is in a crash loop, even while it runs. */
export const LOOP_RESTARTS = 2
/** Reasons of an end before the container's own program ran: the message is the runtime's. */
const START_REASONS: ReadonlySet<string> = new Set(['StartError', 'ContainerCannotRun'])

const EXIT_WORDS: ReadonlyMap<number, string> = new Map([
  [126, 'its command could not be executed'],
  [127, 'its command was not found'],
  [132, 'illegal instruction: the program needs another processor'],
  [134, 'aborted'],
  [137, 'killed'],
  [139, 'segmentation fault'],
  [143, 'terminated'],
])

/** Returns the definition of a container or init container. */
export function containerOf(spec: V1PodSpec | undefined, name: string): V1Container | undefined {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]
  return all.find((container) => container.name === name)
}

/**
 * Explains why a container is not ready; undefined if it is, or if it has neither ended nor failed
 * to start. A message that the container has written itself isn't shown, because it may contain
 * secrets.
 */
export function containerProblem(
  { state, lastState, restartCount, ready, started, image }: V1ContainerStatus,
  spec?: V1Container,
): ContainerProblem | undefined {
  const ended = state?.terminated ?? lastState?.terminated
  const { reason = '', message = '' } = state?.waiting ?? {}
  if (reason === 'CrashLoopBackOff')
    return ended ? endProblem(reason, ended, spec) : { reason, message, original: '' }
  if (reason !== '' && !ORDINARY_REASONS.has(reason)) {
    const pull = pullProblem(reason, message, image)
    return { reason, ...(pull ?? startWords(message)) }
  }
  if (ready || ended === undefined) return undefined
  // Only what must keep running is started again after such an end. Once it has passed its startup
  // check, that end is no longer the reason.
  const isAgain = lastState?.terminated?.exitCode === 0 && started !== true
  if (ended.exitCode === 0 && !isAgain) return undefined
  return endProblem(restartCount >= LOOP_RESTARTS ? 'CrashLoopBackOff' : 'Error', ended, spec)
}

function endProblem(
  kind: string,
  { exitCode, reason = '', message = '' }: V1ContainerStateTerminated,
  spec: V1Container | undefined,
): ContainerProblem {
  if (reason === 'OOMKilled') {
    const limit = spec?.resources?.limits?.['memory']
    const most = limit === undefined ? '' : ` of ${limit}`
    const said = `the container used more memory than its limit${most} and was killed`
    return { reason, message: said, original: '', exitCode }
  }
  if (START_REASONS.has(reason)) return { reason, ...startWords(message), exitCode }
  return { reason: kind, message: exitMessage(exitCode), original: '', exitCode }
}

function exitMessage(exitCode: number): string {
  const ended = `the container exited with code ${exitCode}`
  if (exitCode === 0) return `${ended}, but must keep running`
  const words = EXIT_WORDS.get(exitCode)
  return words === undefined ? ended : `${ended} (${words})`
}
