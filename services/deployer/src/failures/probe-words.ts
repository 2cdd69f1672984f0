import type { V1Container, V1ContainerStatus, V1Probe } from '@kubernetes/client-node'

import { inWords, type Row, type Words } from './words.ts'

/** A probe of a container, as Kubernetes names it in its events. */
export type ProbeKind = 'Startup' | 'Readiness' | 'Liveness'

/** Messages of the kubelet about a probe that has failed. */
const ROWS: readonly Row[] = [
  [/statuscode: (\d+)/, 'was answered with {}'],
  [/connection refused/, 'failed, because nothing listens there'],
  [/deadline exceeded|timed? ?out|i\/o timeout/i, 'had no answer in time'],
  [/connection reset|EOF|malformed HTTP/i, 'was not answered with valid HTTP'],
]

/**
 * Puts the message of an `Unhealthy` event into words; undefined for other messages. The output of
 * a command isn't part of the words, because it may contain anything.
 */
export function probeWords(
  message: string,
  container: V1Container | undefined,
): (Words & { readonly kind: ProbeKind }) | undefined {
  const match = /^(Startup|Readiness|Liveness) probe (?:failed|errored[^:]*): ?(.*)/s.exec(message)
  if (match === null) return undefined
  const kind = match[1] as ProbeKind
  const detail = match[2] ?? ''
  const probe = probeOf(container, kind)
  const isCommand = probe?.exec !== undefined
  const { message: said, original } = inWords(detail, isCommand ? ROWS.slice(2, 3) : ROWS)
  const outcome = original === '' ? 'failed' : said
  return { kind, message: `${nameOf(kind, probe)} ${outcome}`, original: message }
}

/** Says which check a running container has not passed yet; empty if none is open. */
export function waitingForCheck(
  { state, started, ready }: V1ContainerStatus,
  container: V1Container | undefined,
): string {
  if (state?.running === undefined || ready) return ''
  const kind = started === true ? 'Readiness' : 'Startup'
  const probe = probeOf(container, kind)
  return probe === undefined ? '' : `${nameOf(kind, probe)} has not succeeded yet`
}

/** Returns a container's probe of a kind. */
export function probeOf(container: V1Container | undefined, kind: ProbeKind): V1Probe | undefined {
  return {
    Startup: container?.startupProbe,
    Readiness: container?.readinessProbe,
    Liveness: container?.livenessProbe,
  }[kind]
}

/** Says that a check has failed, when it isn't known how. */
export function failedCheck(kind: ProbeKind, container: V1Container | undefined): Words {
  return { message: `${nameOf(kind, probeOf(container, kind))} failed`, original: '' }
}

function nameOf(kind: ProbeKind, probe: V1Probe | undefined): string {
  return `the ${kind.toLowerCase()} check${probe === undefined ? '' : ` (${targetOf(probe)})`}`
}

function targetOf({ httpGet, tcpSocket, exec }: V1Probe): string {
  if (httpGet !== undefined) return `GET ${httpGet.path ?? '/'} on port ${httpGet.port}`
  if (tcpSocket !== undefined) return `a connection to port ${tcpSocket.port}`
  const command = exec?.command?.join(' ') ?? ''
  return command.length > 80 ? `${command.slice(0, 80)}…` : command
}
