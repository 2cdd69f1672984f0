import type { ResolvedComponent } from '@slipway/agent-spec'
import type { ServerCertificate } from '@slipway/shared/tls'

import type { Endpoint } from '../domain/endpoint.ts'
import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import {
  renderConfigMap,
  renderPullSecret,
  renderServiceAccount,
  renderTlsSecret,
  type PullCredentials,
} from './config-and-secrets.ts'
import { nameOf, type Identity } from './identity.ts'
import { exposedHost, exposedUrl, renderIngress } from './ingress.ts'
import { renderCronJob, renderStartupJob } from './jobs.ts'
import { renderNetworkPolicies } from './network-policies.ts'
import type { PodReferences } from './pod-template.ts'
import { renderLimitRange, renderResourceQuota, type NamespaceBounds } from './quota.ts'
import type { ManifestSettings } from './settings.ts'
import type { Secret } from './types.ts'
import { renderService, renderWorkload, workloadName } from './workloads.ts'

/** An object and its component; the component is empty for objects of the whole deployment. */
export interface RenderedObject {
  readonly component: string
  readonly object: KubernetesObject
}

/** An endpoint and the component that serves it. */
export interface ComponentEndpoint extends Endpoint {
  readonly component: string
}

/** All objects of a deployment in two waves, without its namespace and its revision's Secrets. */
export interface RenderedDeployment {
  /** The objects that pods need to start. */
  readonly foundations: readonly RenderedObject[]
  readonly workloads: readonly RenderedObject[]
  readonly endpoints: readonly ComponentEndpoint[]
  /** Host names of its Ingresses. */
  readonly hosts: readonly string[]
}

/** The input of renderDeployment. */
export interface RenderInput {
  readonly identity: Identity
  readonly revision: number
  readonly components: readonly ResolvedComponent[]
  /** The Secrets of components, by component. */
  readonly secrets: SecretPlan['roles']
  readonly telemetrySecret: string | undefined
  /** Credentials for the images of components, by component. */
  readonly pullCredentials: Readonly<Record<string, PullCredentials>>
  readonly settings: ManifestSettings
  /** Returns the certificate to copy for all hosts; it is called only if there are hosts. */
  readonly ingressCertificate?: (() => ServerCertificate) | undefined
  /** The ingestions, by component, whose schedules are suspended. */
  readonly suspended: readonly string[]
  readonly bounds: NamespaceBounds
  /** Key of the HMACs in names. */
  readonly nameKey: Buffer
}

/**
 * Translates a deployment to cluster objects. Pure: the same input results in the same objects in
 * the same order.
 */
export function renderDeployment(input: RenderInput): RenderedDeployment {
  const { identity, components, settings, revision } = input
  const foundations: RenderedObject[] = [
    renderServiceAccount(identity),
    renderResourceQuota(identity, input.bounds),
    renderLimitRange(identity, settings),
  ].map((object) => ({ component: '', object }))
  const workloads: RenderedObject[] = []
  const endpoints: ComponentEndpoint[] = []
  const hosts: string[] = []
  for (const object of pullSecretsOf(input)) foundations.push({ component: '', object })
  let tls: Secret | undefined
  for (const component of components) {
    const { name } = component
    const references = referencesOf(input, component, foundations)
    const suspend = input.suspended.includes(name)
    const workload = renderMain(component, { identity, references, settings, revision, suspend })
    if (workload) workloads.push({ component: name, object: workload })
    if (isServed(component))
      foundations.push({ component: name, object: renderService(identity, component) })
    const host = exposedHost(identity, component, settings.ingress)
    if (host !== undefined) {
      const certificate = tls ? undefined : input.ingressCertificate?.()
      if (certificate) tls = renderTlsSecret(identity, certificate, input.nameKey)
      const ingress = renderIngress(
        identity,
        component,
        host,
        settings.ingress,
        tls?.metadata.name ?? settings.ingress.tlsSecret,
      )
      workloads.push({ component: name, object: ingress })
      hosts.push(host)
    }
    const own = endpointsOf(identity, component, host, settings)
    endpoints.push(...own.map((endpoint) => ({ ...endpoint, component: name })))
  }
  if (tls) foundations.push({ component: '', object: tls })
  for (const object of renderNetworkPolicies(identity, components, settings.network)) {
    foundations.push({ component: '', object })
  }
  return { foundations, workloads, endpoints, hosts }
}

/** Returns the objects that a component's pods refer to. Adds its config map to `foundations`. */
export function referencesOf(
  {
    identity,
    secrets,
    telemetrySecret,
    pullCredentials,
    nameKey,
  }: Pick<RenderInput, 'identity' | 'nameKey' | 'pullCredentials' | 'secrets' | 'telemetrySecret'>,
  component: ResolvedComponent,
  foundations: RenderedObject[],
): PodReferences {
  const { plain } = component.environment
  const configMap =
    Object.keys(plain).length > 0 ? renderConfigMap(identity, component, plain) : undefined
  if (configMap) foundations.push({ component: component.name, object: configMap })
  const pull = pullCredentials[component.name]
  return {
    serviceAccount: nameOf(identity, { kind: 'agent' }),
    configMap: configMap?.metadata.name,
    secret: secrets[component.name]?.secret,
    telemetrySecret: component.telemetry ? telemetrySecret : undefined,
    pullSecret: pull && renderPullSecret(identity, pull, nameKey).metadata.name,
  }
}

/** Components with the same credentials share a Secret. */
function pullSecretsOf({ identity, pullCredentials, nameKey }: RenderInput): Secret[] {
  const secrets = Object.values(pullCredentials).map((credentials) =>
    renderPullSecret(identity, credentials, nameKey),
  )
  return [...new Map(secrets.map((secret) => [secret.metadata.name, secret])).values()]
}

interface MainInput {
  readonly identity: Identity
  readonly references: PodReferences
  readonly settings: ManifestSettings
  readonly revision: number
  readonly suspend: boolean
}

function renderMain(component: ResolvedComponent, input: MainInput): KubernetesObject | undefined {
  const { identity, references, settings, revision, suspend } = input
  switch (component.trigger?.type) {
    case 'manual':
      return undefined
    case 'schedule':
      return renderCronJob(identity, component, references, settings, suspend)
    case 'startup':
      return renderStartupJob(identity, component, references, settings, revision)
    case 'webhook':
    case undefined:
      return renderWorkload(identity, component, references, settings)
  }
}

function isServed({ trigger, ports }: ResolvedComponent): boolean {
  return ports.length > 0 && (trigger === undefined || trigger.type === 'webhook')
}

function endpointsOf(
  identity: Identity,
  component: ResolvedComponent,
  host: string | undefined,
  { ingress }: ManifestSettings,
): Endpoint[] {
  const serviceName = workloadName(identity, component)
  const inCluster = (scheme: string, port: number | undefined): string =>
    `${scheme}://${serviceName}.${identity.namespace}.svc.cluster.local:${port ?? 0}`
  switch (component.kind) {
    case 'agent': {
      const http: Endpoint = {
        name: 'agent-http',
        url: inCluster('http', component.ports[0]?.port),
        type: 'http',
      }
      return host === undefined
        ? [http]
        : [http, { name: 'agent-web', url: exposedUrl(host, ingress), type: 'web' }]
    }
    case 'messaging': {
      const slack: Endpoint[] =
        component.environment.plain['SLACK_ENABLED'] === 'true'
          ? [
              {
                name: 'messaging-slack',
                url: inCluster('grpc', component.ports[0]?.port),
                type: 'slack',
              },
            ]
          : []
      return host === undefined
        ? slack
        : [...slack, { name: 'messaging-web', url: exposedUrl(host, ingress), type: 'web' }]
    }
    case 'ingestion':
      return host === undefined
        ? []
        : [{ name: component.name, url: exposedUrl(host, ingress), type: 'webhook' }]
    case 'model':
    case 'knowledge':
    case 'tool':
      return []
  }
}
