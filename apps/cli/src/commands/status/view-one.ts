import type { Schemas } from '@slipway/client'
import { isWell, lastExit, podsOf } from '@slipway/words/pods'
import { sentence } from '@slipway/words/sentence'

import { asOptions } from '../../deployments/as-options.ts'
import { STATE_STYLES } from '../../deployments/states.ts'
import { fields, lines, table, type Block, type Cell } from '../../output/blocks.ts'
import type { Printer } from '../../output/printer.ts'
import { ago } from '../../output/times.ts'
import { wrap } from '../../output/wrap.ts'
import type { Deployment, OneStatus } from './types.ts'

/** A deployment with its components and pods, and why they are not ready. */
export function viewOne(status: OneStatus, { screen }: Printer): readonly Block[] {
  const { deployment, revision } = status
  const style = STATE_STYLES[deployment.state]
  const problems = [
    ...(revision?.errors ?? []),
    ...earlierReason(status),
    ...(deployment.warnings ?? []).map(asOptions),
  ]
  const bad = (line: string) => ({ text: line, style: 'bad' as const })
  return [
    lines(...wrap(sentence(deployment), screen.columns).map((line) => ({ text: line, style }))),
    summary(status),
    components(deployment),
    ...(podsOf(deployment).length > 0 ? [pods(deployment)] : []),
    ...(problems.length > 0
      ? [lines(...problems.flatMap((problem) => wrap(problem, screen.columns)).map(bad))]
      : []),
    ...(deployment.failures ?? []).map((failure) =>
      lines(...failureLines(failure, screen.columns)),
    ),
  ]
}

function summary({ deployment, revision, names }: OneStatus): Block {
  const { revision: number, build_id: build, deployed_at: at, source_account: source } = deployment
  const deployedBy = names.get(deployment.deployed_by) ?? deployment.deployed_by
  const version = revision?.version
  return fields({
    revision: number === 0 ? undefined : String(number),
    build: version === undefined ? build || undefined : `${build} (version ${version})`,
    source,
    deployed: { ...ago(at), text: `${ago(at).text} by ${deployedBy}` },
    ...Object.fromEntries(deployment.service_endpoints.map(({ type, url }) => [type, url])),
  })
}

function components({ components: all }: Deployment): Block {
  return table({
    columns: [
      { title: 'COMPONENT', shrinkTo: 10 },
      { title: 'KIND', fromColumns: 60 },
      { title: 'STATE' },
      { title: 'PODS', align: 'right' },
      { title: 'REASON', shrinkTo: 10, fromColumns: 50 },
    ],
    rows: all.map(({ name, kind, state, pods: its, reason = '' }) => [
      name,
      kind,
      { text: state, style: STATE_STYLES[state] },
      its.length === 0 ? '-' : readyCount(its),
      reason,
    ]),
    empty: 'no components',
  })
}

/** Counts the pods of the live revision, which replace those of an earlier one. */
function readyCount(all: readonly Schemas['Pod'][]): string {
  const current = all.filter(({ former }) => former !== true)
  return `${current.filter(isWell).length}/${current.length}`
}

function pods({ components: all }: Deployment): Block {
  const hasFormer = all.some(({ pods: its }) => its.some(({ former }) => former === true))
  return table({
    columns: [
      { title: 'POD', shrinkTo: 12 },
      ...(hasFormer ? [{ title: 'REV' }] : []),
      { title: 'READY' },
      { title: 'RESTARTS', align: 'right' },
      { title: 'LAST EXIT', shrinkTo: 9, fromColumns: 80 },
      { title: 'REASON', shrinkTo: 8, fromColumns: 60 },
    ],
    rows: all.flatMap((component) =>
      component.pods.map((pod): Cell[] => [
        pod.name,
        ...(hasFormer ? [revisionOf(pod, component)] : []),
        pod.ready ? { text: 'yes', style: 'good' } : { text: 'no', style: 'warning' },
        pod.restarts === 0 ? '0' : { text: String(pod.restarts), style: 'warning' },
        lastExit(pod),
        pod.reason ?? (pod.ready ? '' : pod.phase.toLowerCase()),
      ]),
    ),
    empty: '',
  })
}

/** A pod that starts again has no reason for a moment, but its revision still has it. */
function earlierReason({ deployment: { state, reason }, revision }: OneStatus): string[] {
  return state === 'ready' || reason !== undefined || revision?.reason === undefined
    ? []
    : [`was not ready: ${revision.reason}`]
}

function revisionOf({ former }: Schemas['Pod'], { kind }: Schemas['Component']): string {
  // A run may be older than the live revision.
  if (kind === 'ingestion') return ''
  return former === true ? 'earlier' : 'live'
}

/** What failed, the end of its log, and what to do. */
function failureLines(failure: Schemas['ComponentFailure'], columns: number): Cell[] {
  const { component, pod, reason, message, event, log_lines: log = [], next } = failure
  const where = pod === undefined ? component : `${component} (${pod})`
  const text = (prefix: string, content: string, style?: 'bad' | 'faint') =>
    wrap(content, columns - prefix.length).map((line, index) => ({
      text: `${index === 0 ? prefix : ' '.repeat(prefix.length)}${line}`,
      style,
    }))
  return [
    ...text('', `${where}: ${message} (${reason})`, 'bad'),
    ...(event === undefined ? [] : text('  ', event.message)),
    ...log.flatMap((line) => text('  | ', line, 'faint')),
    ...next.flatMap((step) => text('  → ', asOptions(step))),
  ]
}
