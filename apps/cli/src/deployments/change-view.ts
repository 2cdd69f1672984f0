import type { Schemas } from '@slipway/client'

import type { Cli } from '../command/cli.ts'
import { fields, hint, lines, type Block } from '../output/blocks.ts'
import type { Style } from '../output/style.ts'
import { agentName } from './agent-name.ts'
import { asOptions } from './as-options.ts'
import type { Change } from './change.ts'
import { failureView } from './failure-view.ts'

const INSIDE =
  'these addresses work inside the cluster; for one outside: --set agent.expose.enabled=true'

/** An address that a shell takes as it is. */
const PLAIN_URL = /^https?:\/\/[\w.:/-]+$/

const STYLES: Readonly<Record<Change['status'], Style>> = {
  started: 'accent',
  ready: 'good',
  failed: 'bad',
  pending: 'warning',
}

/** What a person sees of a deploy or rollback: its end, how to call the agent, what to do next. */
export function changeView(change: Change, cli: Cli): readonly Block[] {
  const { status, why, result, deployment } = change
  const { name, revision, build_id: build, version, service_endpoints: endpoints } = result
  const agent = agentName(cli, { account: change.account, name })
  const isUnready = status === 'failed' || status === 'pending'
  return [
    fields({
      agent,
      status: { text: status, style: STYLES[status] },
      reason: why ?? (status === 'pending' ? deployment?.reason : undefined),
      revision: String(revision),
      'rolled back to':
        result.rolled_back_to === undefined ? undefined : `${result.rolled_back_to}`,
      build: version === undefined ? build : `${build} (${version})`,
    }),
    ...(isUnready ? failureView(deployment?.failures ?? []) : []),
    ...warningsView(deployment),
    ...(status === 'failed' ? [] : endpointsView(endpoints)),
    hint(`next: ${adviceFor(change, agent).join('\n      ')}`),
  ]
}

/** What the state of a deployment says besides its failures, as `slipway status` does. */
function warningsView(deployment: Change['deployment']): readonly Block[] {
  const { warnings = [] } = deployment ?? {}
  return warnings.length === 0
    ? []
    : [lines(...warnings.map((text) => ({ text: asOptions(text), style: 'bad' as const })))]
}

/** How to call an agent. */
export function endpointsView(endpoints: readonly Schemas['ServiceEndpoint'][]): readonly Block[] {
  if (endpoints.length === 0) return []
  const isInside = endpoints.every(({ url }) => isInCluster(url))
  const addresses = endpoints.map(({ type, url }) => {
    const text = `${url} (${isInCluster(url) ? 'inside the cluster' : 'public'})`
    return [type, { text, plain: url }] as const
  })
  return [{ kind: 'fields', fields: addresses }, ...(isInside ? [hint(INSIDE)] : [])]
}

function isInCluster(url: string): boolean {
  return URL.canParse(url) && /\.svc(\.cluster\.local)?$/.test(new URL(url).hostname)
}

/** The next commands, a line each. */
export function adviceFor(
  { status, result }: Pick<Change, 'status' | 'result'>,
  agent: string,
): readonly string[] {
  const { revision, service_endpoints: endpoints } = result
  const logs = `slipway logs ${agent}`
  if (status === 'failed') return [revision > 1 ? `${logs}, slipway rollback ${agent}` : logs]
  if (status === 'pending') return [`slipway status ${agent} --watch`, logs]
  if (status !== 'ready') return [`slipway status ${agent} --watch`]
  const address = endpoints.find(({ url }) => PLAIN_URL.test(url) && !isInCluster(url))
  return [...(address ? [`curl ${address.url}`] : []), `${logs}, slipway traces ${agent}`]
}
