import { lookup } from 'node:dns/promises'

import { setting } from './setting.ts'
import type { Target } from './reach.ts'

// Whether the cluster enforces NetworkPolicies: what the deployer's close to agents, and the
// chart's to every other pod.

/** The gRPC ports of the services, which are closed to this pod, too. */
export async function rpcTargets(): Promise<Target[]> {
  const names = setting('RPC_ADDRESSES').split(',')
  const targets = names.map((name) => targetsAt(`http://${name}`, `the gRPC port of`))
  return (await Promise.all(targets)).flat()
}

/** What no agent may reach. */
export async function targetsOfAgents(): Promise<Target[]> {
  return [
    {
      what: 'the API server',
      host: setting('KUBERNETES_SERVICE_HOST'),
      port: Number(setting('KUBERNETES_SERVICE_PORT')),
    },
    { what: 'the kubelet of a node', host: setting('NODE_ADDRESS'), port: 10_250 },
    ...(await targetsAt(setting('GATEWAY_URL'), 'another namespace:')),
    ...(await rpcTargets()),
  ]
}

/** Returns each address of the host of a URL: a policy may close IPv4 and leave IPv6 open. */
export async function targetsAt(
  url: string,
  what: string,
  resolve: (host: string) => Promise<readonly { readonly address: string }[]> = resolveAll,
): Promise<Target[]> {
  const { hostname, port } = new URL(url)
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, ''))
  return addresses.map(({ address }) => ({
    what: `${what} ${hostname}`,
    host: address,
    port: Number(port || '80'),
  }))
}

async function resolveAll(host: string): Promise<readonly { readonly address: string }[]> {
  return await lookup(host, { all: true })
}

/**
 * Prints that a pod reached nothing. Otherwise throws with what it reached and what to do, or only
 * prints that where the operator says that the cluster doesn't enforce NetworkPolicies.
 */
export function judge(pod: string, reached: readonly Target[]): void {
  if (reached.length === 0) {
    console.log(`ok: ${pod} reaches nothing that NetworkPolicies close`)
    return
  }
  const found = [
    `${pod} reaches what NetworkPolicies close to it:`,
    ...reached.map(({ what, host, port }) => `  - ${what}, at ${host} port ${port}`),
  ].join('\n')
  if (setting('POLICIES_ENFORCED') === 'false') {
    console.warn(
      `warning: ${found}\nA malicious agent can use it: networkPolicy.enforced is false.`,
    )
    return
  }
  console.error('failed: NetworkPolicies are enforced')
  throw new Error(
    `${found}\nUse a network plugin (CNI) that enforces NetworkPolicy. If yours does, add the ` +
      'networks of these addresses to agents.internalRanges. If agents may reach all of this, ' +
      'set networkPolicy.enforced to false: then this test only warns.',
  )
}
