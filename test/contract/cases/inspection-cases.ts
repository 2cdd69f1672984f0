import {
  BAD_KEY,
  bodies,
  INVALID,
  NOWHERE,
  refusals,
  type DeploymentCase,
} from './deployment-case.ts'
import type { DeploymentWorld } from '../support/deployment-fixture.ts'

/** Cases of what is below a deployment's namespace: logs, config maps, pods and ingestions. */
export function inspectionCases(world: DeploymentWorld): DeploymentCase[] {
  const { account, namespace, pod, configMap, stuckPod, foreignNamespace } = world
  const route = (short: string) => {
    const [method, path] = short.split(' ')
    return `${method} /deployments/{namespace}/${path}`
  }
  const logs: DeploymentCase = {
    route: route('GET logs'),
    status: 200,
    caller: 'member',
    params: { namespace },
    query: { account, pod },
  }
  const configMaps: DeploymentCase = {
    route: route('GET configmap/{cmname}'),
    status: 200,
    caller: 'member',
    params: { namespace, cmname: configMap },
    query: { account },
  }
  const restart: DeploymentCase = {
    route: route('POST pods/{pod}/restart'),
    status: 404,
    code: 'pod_not_found',
    caller: 'member',
    params: { namespace, pod: 'no-such-pod' },
    query: { account },
  }
  const trigger: DeploymentCase = {
    route: route('POST ingestion/{ingestion}/trigger'),
    status: 200,
    caller: 'member',
    params: { namespace, ingestion: 'docs' },
    query: { account },
  }
  const asked = (query: Record<string, string>): DeploymentCase => ({
    ...logs,
    query: { ...logs.query, ...query },
  })
  /** Their common cases; `foreign` is the response for a namespace of another account. */
  const common = (good: DeploymentCase, foreign: Partial<DeploymentCase>): DeploymentCase[] => [
    good,
    ...refusals(good),
    { ...good, ...INVALID, query: { ...good.query, account: '' } },
    { ...good, ...INVALID, params: { ...good.params, namespace: 'a\0b' }, isHttpOnly: true },
    { ...good, status: 404, code: 'account_not_found', query: { ...good.query, account: NOWHERE } },
    ...[foreignNamespace, 'no-such-namespace', 'kube-system', 'slipway-system', '../../nodes'].map(
      (other): DeploymentCase => ({
        ...good,
        ...foreign,
        params: { ...good.params, namespace: other },
      }),
    ),
  ]
  const forbidden = { status: 403, code: 'permission_denied' } as const
  const missing = { status: 404, code: 'namespace_not_found' } as const
  return [
    ...common(logs, forbidden),
    asked({ container: 'agent', tailLines: '5000', sinceSeconds: '31622400', timestamps: 'true' }),
    ...['0', '5001', '-1', '1.5', 'NaN', ''].map((tailLines): DeploymentCase => ({
      ...asked({ tailLines }),
      ...INVALID,
      // Over RPC, 0 means the default, and only whole numbers can be sent.
      ...(tailLines === '5001' || tailLines === '-1' ? {} : { isHttpOnly: true }),
    })),
    { ...asked({ sinceSeconds: '31622401' }), ...INVALID },
    { ...asked({ sinceSeconds: '0' }), ...INVALID, isHttpOnly: true },
    { ...asked({ follow: 'perhaps' }), ...INVALID, isHttpOnly: true },
    { ...asked({ pod: '' }), ...INVALID },
    { ...asked({ pod: 'no-such-pod' }), status: 404, code: 'pod_not_found' },
    { ...asked({ pod: '../../secrets' }), status: 404, code: 'pod_not_found' },
    { ...asked({ pod: stuckPod }), status: 404, code: 'pod_not_found' },
    { ...asked({ container: 'no-such-container' }), status: 404, code: 'container_not_found' },
    { ...asked({ previous: 'true' }), status: 400, code: 'log_unavailable' },
    ...common(configMaps, missing),
    ...['no-such-map', 'kube-root-ca.crt', '../secrets', 'Not A Name'].map(
      (cmname): DeploymentCase => ({
        ...configMaps,
        status: 404,
        code: 'config_map_not_found',
        params: { namespace, cmname },
      }),
    ),
    ...common(restart, forbidden),
    ...bodies(restart),
    { ...restart, ...INVALID, ...BAD_KEY },
    { ...restart, params: { namespace, pod: stuckPod } },
    { ...restart, params: { namespace, pod: '..' }, isHttpOnly: true, code: 'route_not_found' },
    ...common(trigger, missing),
    ...bodies(trigger),
    { ...trigger, ...INVALID, ...BAD_KEY },
    {
      ...trigger,
      status: 400,
      code: 'ingestion_not_manual',
      params: { namespace, ingestion: 'nightly' },
    },
    ...['nothing', 'toString', '__proto__'].map((ingestion): DeploymentCase => ({
      ...trigger,
      status: 404,
      code: 'ingestion_not_found',
      params: { namespace, ingestion },
    })),
  ]
}
