import { waitFor } from '@slipway/testing'

import { request } from './api.ts'
import { readyPods } from './cluster.ts'
import { API_TOKEN, registerSupportAgent, undeploy } from './support-agent.ts'

/** A running agent whose pods, log and events tests inspect; disposing of it undeploys it. */
export interface InspectedAgent extends AsyncDisposable {
  readonly account: string
  readonly namespace: string
  readonly spec: string
  /** The body of its deploy. */
  readonly deployBody: object
  /** The name of a ready pod. */
  podName(): Promise<string>
  /** The path of a pod's log below `/api/v1`. */
  logPath(pod: string, query: string): string
}

/** Registers and deploys the example agent under `name`, and waits until it is ready. */
export async function deployInspectedAgent(name: string): Promise<InspectedAgent> {
  const agent = await registerSupportAgent(name)
  const { account, spec } = agent
  const deployBody = { account, name, user_credentials: { SUPPORT_API_TOKEN: API_TOKEN } }
  const { status, body, text } = await request('POST', '/deploy?wait=200', {
    as: 'alice',
    body: deployBody,
  })
  if (status !== 200 || body.rollout?.state !== 'ready') {
    await undeploy(agent)
    throw new Error(`deploy returned ${status}: ${text}`)
  }
  const namespace: string = body.k8s_namespace
  return {
    account,
    namespace,
    spec,
    deployBody,
    podName: async () =>
      await waitFor(async () => (await readyPods(namespace))[0]?.metadata.name, { what: 'a pod' }),
    logPath: (pod, query) => `/deployments/${namespace}/logs?account=${account}&pod=${pod}${query}`,
    [Symbol.asyncDispose]: async () => await undeploy(agent),
  }
}
