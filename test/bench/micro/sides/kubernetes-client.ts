import { KubeConfig, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node'
import { openCluster } from '@slipway/deployer/cluster-access'
import { KubernetesClient } from '@slipway/deployer/kubernetes-client'

import { repeat, type StartSide } from '../side.ts'

/** As many as a deploy applies at a time. */
const IN_FLIGHT = 8
const TIMEOUT_MS = 10_000
const FIELD_MANAGER = 'slipway'
const PATH = '/apis/apps/v1/namespaces/agent-support/deployments/support'

const labels = {
  'app.kubernetes.io/name': 'support',
  'app.kubernetes.io/managed-by': 'slipway',
  'slipway.dev/deployment': 'dep_0b8f6c54d1',
}
const variables = Array.from({ length: 30 }, (_, index) => ({
  name: `SETTING_${index}`,
  value: `value-${index}`,
}))
const resources = {
  requests: { cpu: '100m', memory: '256Mi' },
  limits: { cpu: '1', memory: '1Gi' },
}
const container = { name: 'agent', image: 'registry.example/team/support:1', env: variables }

/** An object of the usual size, a few KiB. */
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'support', namespace: 'agent-support', labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ ...container, resources }] },
    },
  },
}

/** Clients that apply a Deployment server-side; their input is the path of a kubeconfig. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: async (kubeconfig) => {
    const client = new KubernetesClient(await openCluster(kubeconfig), TIMEOUT_MS)
    const apply = async () =>
      await client.send({
        method: 'PATCH',
        path: `${PATH}?fieldManager=${FIELD_MANAGER}&force=true`,
        body: DEPLOYMENT,
        contentType: 'application/apply-patch+yaml',
      })
    return { run: (count) => repeat(count, IN_FLIGHT, apply) }
  },
  'client-node': (kubeconfig) => {
    const config = new KubeConfig()
    config.loadFromFile(kubeconfig)
    const api = KubernetesObjectApi.makeApiClient(config)
    const apply = async () =>
      await api.patch(
        DEPLOYMENT,
        undefined,
        undefined,
        FIELD_MANAGER,
        true,
        PatchStrategy.ServerSideApply,
      )
    return { run: (count) => repeat(count, IN_FLIGHT, apply) }
  },
}
