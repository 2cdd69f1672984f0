import { createHash } from 'node:crypto'

import {
  TELEMETRY_HEADERS_VARIABLE,
  unpinnedImage,
  type ResolvedComponent,
} from '@slipway/agent-spec'

import { TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import { canonical } from './canonical.ts'
import { podLabels, podSelector, type Identity } from './identity.ts'
import { containerSecurityContext, podSecurityContext, podSecurityOf } from './pod-security.ts'
import { renderProbes } from './probes.ts'
import type { ManifestSettings } from './settings.ts'
import type { Container, EnvVar, PodSpec, PodTemplate } from './types.ts'

/** Name of a component's data volume. Names of claims contain it, so it must never change. */
export const DATA_VOLUME = 'data'
const HOME = '/home/slipway'

/** Names of the objects that a component's pods refer to. */
export interface PodReferences {
  readonly serviceAccount: string
  readonly configMap: string | undefined
  readonly secret: string | undefined
  /** Undefined except for the agent. */
  readonly telemetrySecret: string | undefined
  readonly pullSecret: string | undefined
}

/** Renders the pod template of a component. */
export function renderPodTemplate(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): PodTemplate {
  return withHash(podLabels(identity, component), {
    ...renderPodSpec(identity, component, references, settings),
    ...(component.replicas > 1 && {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: podSelector(identity, component) },
        },
      ],
    }),
  })
}

/** Renders the pod template of a component that runs as a Job. */
export function renderJobPodTemplate(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): PodTemplate {
  const { ports: _, probe: __, ...rest } = component
  const spec = renderPodSpec(identity, { ...rest, ports: [] }, references, settings)
  return withHash(podLabels(identity, component), { ...spec, restartPolicy: 'Never' })
}

/** Labels pods with a hash of their template, so that a rollout's state ignores older pods. */
function withHash(labels: Record<string, string>, spec: PodSpec): PodTemplate {
  const hash = createHash('sha256').update(canonical({ labels, spec })).digest('hex').slice(0, 12)
  return { metadata: { labels: { ...labels, [TEMPLATE_HASH_LABEL]: hash } }, spec }
}

function renderPodSpec(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): PodSpec {
  const securityContext = podSecurityContext(component, podSecurityOf(identity, settings))
  const container: Container = {
    name: component.kind,
    image: component.image,
    // Nodes keep images without asking whether the pod may have them. What is not bound to a digest
    // is pulled again, with the pod's own credentials.
    imagePullPolicy: isPinned(component.image) ? 'IfNotPresent' : 'Always',
    ...(component.args.length > 0 && { args: component.args.map(escapeExpansion) }),
    ...(component.ports.length > 0 && {
      ports: component.ports.map(({ name, port }) => ({ name, containerPort: port })),
    }),
    ...renderEnvironment(component, references),
    resources: renderResources(component, settings),
    volumeMounts: renderMounts(component),
    ...renderProbes(component.probe),
    securityContext: containerSecurityContext(securityContext, settings),
  }
  return {
    serviceAccountName: references.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext,
    ...(references.pullSecret !== undefined && {
      imagePullSecrets: [{ name: references.pullSecret }],
    }),
    ...(component.prepare && {
      initContainers: [renderInitContainer(container, component.prepare.command)],
    }),
    containers: [container],
    volumes: renderVolumes(component, settings),
  }
}

function isPinned(image: string): boolean {
  return image !== unpinnedImage(image)
}

function renderInitContainer(container: Container, command: readonly string[]): Container {
  const {
    ports: _,
    startupProbe: _s,
    readinessProbe: _r,
    livenessProbe: _l,
    args: _a,
    ...same
  } = container
  return { ...same, name: 'prepare', command: command.map(escapeExpansion) }
}

// Values are references: anyone who can read pods can read inline values, and Kubernetes expands
// `$(…)` in them.
function renderEnvironment(
  component: ResolvedComponent,
  references: PodReferences,
): Pick<Container, 'env' | 'envFrom'> {
  const { plain, secret } = component.environment
  const fromSecret = (name: string, key: string): EnvVar[] =>
    references.secret === undefined
      ? []
      : [{ name, valueFrom: { secretKeyRef: { name: references.secret, key } } }]
  const telemetry: EnvVar[] =
    component.telemetry && references.telemetrySecret !== undefined
      ? [
          {
            name: TELEMETRY_HEADERS_VARIABLE,
            valueFrom: {
              secretKeyRef: { name: references.telemetrySecret, key: TELEMETRY_HEADERS_VARIABLE },
            },
          },
        ]
      : []
  const hasHome = Object.hasOwn(plain, 'HOME') || Object.hasOwn(secret, 'HOME')
  const env = [
    ...(hasHome ? [] : [{ name: 'HOME', value: HOME }]),
    ...telemetry,
    ...Object.keys(secret).flatMap((name) => fromSecret(name, name)),
  ]
  return {
    ...(references.configMap !== undefined && {
      envFrom: [{ configMapRef: { name: references.configMap } }],
    }),
    ...(env.length > 0 && { env }),
  }
}

function renderResources(
  component: ResolvedComponent,
  settings: ManifestSettings,
): NonNullable<Container['resources']> {
  const { resources, gpu } = component
  const device = gpu?.runtime === 'rocm' ? 'amd.com/gpu' : 'nvidia.com/gpu'
  return {
    requests: { ...resources.requests, 'ephemeral-storage': settings.ephemeralStorage.request },
    limits: {
      ...resources.limits,
      'ephemeral-storage': ephemeralLimit(component, settings),
      ...(gpu && gpu.count > 0 && { [device]: String(gpu.count) }),
    },
  }
}

function ephemeralLimit(
  { kind }: ResolvedComponent,
  { ephemeralStorage }: ManifestSettings,
): string {
  return kind === 'model' ? ephemeralStorage.modelLimit : ephemeralStorage.limit
}

function scratchPaths({ writablePaths, storage }: ResolvedComponent): string[] {
  const paths = new Set(['/tmp', HOME, ...writablePaths])
  if (storage) paths.delete(storage.mountPath)
  return [...paths]
}

function renderMounts(component: ResolvedComponent): NonNullable<Container['volumeMounts']> {
  const scratch = scratchPaths(component).map((mountPath, index) => ({
    name: `scratch-${index}`,
    mountPath,
  }))
  const { storage } = component
  return storage ? [...scratch, { name: DATA_VOLUME, mountPath: storage.mountPath }] : scratch
}

function renderVolumes(
  component: ResolvedComponent,
  settings: ManifestSettings,
): NonNullable<PodSpec['volumes']> {
  const sizeLimit = ephemeralLimit(component, settings)
  return scratchPaths(component).map((_, index) => ({
    name: `scratch-${index}`,
    emptyDir: { sizeLimit },
  }))
}

/** Escapes `$(NAME)`, which Kubernetes expands in commands and arguments. */
function escapeExpansion(text: string): string {
  return text.replaceAll('$(', '$$$$(')
}
