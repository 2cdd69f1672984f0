import {
  buildTemplate,
  defaultTemplateSettings,
  fillTemplate,
  namespaceName,
  parseSpec,
  resolvedComponents,
  validateTemplate,
  type DeploymentTemplate,
} from '@slipway/agent-spec'
import { expect } from 'vitest'

import { planSecrets } from '../../src/credentials/plan-secrets.ts'
import type { KubernetesObject } from '../../src/domain/kubernetes-object.ts'
import type { PullCredentials } from '../../src/manifests/config-and-secrets.ts'
import { renderDeployment, type RenderedDeployment } from '../../src/manifests/render.ts'
import type { ManifestSettings } from '../../src/manifests/settings.ts'
import type { PodTemplate } from '../../src/manifests/types.ts'
import { workloadName } from '../../src/manifests/workloads.ts'

const KEY = Buffer.alloc(32, 7)
/** Values of all credentials of FULL_SPEC. */
export const CREDENTIALS = { API_TOKEN: 'api-token-value', OPENAI_API_KEY: 'openai-key-value' }
/** Settings of an operator with an ingress and an ingest endpoint. */
export const MANIFESTS: ManifestSettings = {
  podSecurity: 'restricted',
  podUid: 1000,
  podSecurityExceptions: [],
  readOnlyRootFilesystem: false,
  ephemeralStorage: { request: '100Mi', limit: '10Gi', modelLimit: '50Gi' },
  ingestionSeconds: 86_400,
  ingestionStartSeconds: 900,
  ingress: {
    domain: 'agents.example',
    className: 'traefik',
    tlsSecret: undefined,
    annotations: { 'cert-manager.io/cluster-issuer': 'main' },
    scheme: 'https',
    port: undefined,
  },
  network: {
    dns: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
    ingest: [{ ipBlock: { cidr: '10.240.0.1/32' } }],
    ingestPort: 4318,
    ingressController: [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } },
    ],
    internalRanges: ['10.0.0.0/8', 'fc00::/7'],
  },
}

/** Credentials for the registry of FULL_SPEC's images. */
export const PULL: PullCredentials = {
  source: '/pull.json',
  auths: { 'registry.example': { auth: 'dXNlcjpwYXNz' } },
}

const BOUNDS = {
  pods: 1500,
  cpu: 600_000,
  memoryBytes: 1_610_612_736_000,
  storageBytes: 1_099_511_627_776,
  gpus: 48,
  jobs: 60,
}

const settings = {
  ...defaultTemplateSettings(),
  messaging: { image: 'registry.example/m:1', adapters: ['web'] },
}

/** Fills the template of an agent, with an interface and a schedule. */
export function filledTemplate(spec: string, agent: string, buildId = 'b1'): DeploymentTemplate {
  const source = {
    account: 'team',
    name: agent,
    build: buildId,
    registry: 'oci://registry.example',
  }
  const parsed = parseSpec(spec)
  const filled = fillTemplate(
    buildTemplate({ spec: parsed.spec, source, settings }),
    { userCredentials: CREDENTIALS, interfaces: ['web'], schedules: { nightly: '0 3 * * *' } },
    settings,
  )
  expect(validateTemplate(filled, parsed.spec, settings)).toEqual([])
  return filled.template
}

/** Renders an agent as a deploy does, without a cluster. */
export function render(
  spec: string,
  agent: string,
  buildId = 'b1',
  manifests = MANIFESTS,
  pull: PullCredentials | undefined = PULL,
): RenderedDeployment {
  const identity = {
    deploymentId: '00000000-0000-4000-8000-000000000001',
    accountId: 'account-1',
    agent,
    buildId,
    namespace: namespaceName({ accountId: 'account-1', sourceAccountId: 'account-1', agent }),
  }
  const components = resolvedComponents(filledTemplate(spec, agent, buildId), settings, {
    credentials: CREDENTIALS,
    storePasswords: { 'knowledge.db': 'store-password' },
    serviceHost: (component) => workloadName(identity, component),
    telemetry: {
      endpoint: 'http://10.240.0.1:4318',
      protocol: 'http/protobuf',
      resourceAttributes: {},
    },
  })
  const { plan } = planSecrets(identity, components, CREDENTIALS, {
    nameKey: KEY,
    generated: ['store-password'],
  })
  return renderDeployment({
    identity,
    revision: 1,
    components,
    secrets: plan.roles,
    telemetrySecret: `${agent}-telemetry`,
    pullCredentials: Object.fromEntries(
      components.flatMap(({ name, image }) =>
        pull && image.startsWith('registry.example/') ? [[name, pull]] : [],
      ),
    ),
    settings: manifests,
    suspended: [],
    bounds: BOUNDS,
    nameKey: KEY,
  })
}

/** All rendered objects. */
export function objectsOf({ foundations, workloads }: RenderedDeployment): KubernetesObject[] {
  return [...foundations, ...workloads].map(({ object }) => object)
}

/** The pod templates of all rendered workloads. */
export function podTemplates(rendered: RenderedDeployment): PodTemplate[] {
  return objectsOf(rendered).flatMap(podTemplatesOf)
}

/** The pod template of a workload; none for other objects. */
export function podTemplatesOf(object: KubernetesObject): PodTemplate[] {
  const { spec } = object as {
    spec?: { template?: PodTemplate; jobTemplate?: { spec: { template: PodTemplate } } }
  }
  const template = spec?.template ?? spec?.jobTemplate?.spec.template
  return template === undefined ? [] : [template]
}
