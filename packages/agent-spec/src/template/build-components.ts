import {
  componentVariables,
  ingestionVariables,
  variablesOfIngestions,
} from '../environment/environments.ts'
import { resolveProvider } from '../environment/provider-use.ts'
import { sortedEntries } from '../json.ts'
import type { SelfHostedProvider } from '../providers.ts'
import type { AgentSpec, ComponentEntry, ComponentSection, ContainerSpec } from '../spec-types.ts'
import { environmentOf, healthcheckOf, rolling } from './build-parts.ts'
import { copyResources, type TemplateSettings } from './settings.ts'
import type { TemplateSize } from './template-size.ts'
import type {
  TemplateComponent,
  TemplateHealthcheck,
  TemplateIngestion,
  TemplateStorage,
} from './template-types.ts'

/**
 * Builds the components of a section that run as containers: self-hosted providers and the spec's
 * own containers.
 */
export function buildComponents(
  spec: AgentSpec,
  section: ComponentSection,
  settings: TemplateSettings,
): Record<string, TemplateComponent> {
  const built = sortedEntries(spec[section]).flatMap(
    ([name, entry]): [string, TemplateComponent][] => {
      const base = runnable(spec, section, entry, settings)
      if (!base) return []
      const { environment, ...rest } = environmentOf(componentVariables(spec, section, name))
      return [[name, inOrder({ ...base, ...(environment ? { environment, ...rest } : {}) })]]
    },
  )
  return Object.fromEntries(built)
}

/**
 * Builds the ingestions. Each one contains all of the agent's addresses, so the total size is
 * checked after each one. Throws TemplateTooLargeError.
 */
export function buildIngestions(
  spec: AgentSpec,
  settings: TemplateSettings,
  size: TemplateSize,
): Record<string, TemplateIngestion> {
  const shared = variablesOfIngestions(spec, settings.providers)
  const built = sortedEntries(spec.ingestion).map(
    ([name, { container, trigger }]): [string, TemplateIngestion] => {
      const type = trigger ?? ''
      const healthcheck =
        type === 'webhook'
          ? healthcheckOf(container?.healthcheck, container?.port !== undefined, settings)
          : undefined
      return [
        name,
        size.add({
          image: container?.image ?? '',
          ...(container?.port === undefined ? {} : { port: container.port }),
          resources: copyResources(settings.defaults.ingestionResources),
          ...environmentOf([...ingestionVariables(spec, name), ...shared]),
          ...(healthcheck ? { healthcheck } : {}),
          trigger: type === 'schedule' ? { type, schedule: '' } : { type },
        }),
      ]
    },
  )
  return Object.fromEntries(built)
}

function runnable(
  spec: AgentSpec,
  section: ComponentSection,
  entry: ComponentEntry,
  settings: TemplateSettings,
): TemplateComponent | undefined {
  if (entry.provider !== undefined) {
    const provider = resolveProvider(spec, settings.providers, section, entry.provider)
    return provider?.kind === 'self-hosted'
      ? fromProvider(section, entry, provider, settings)
      : undefined
  }
  return entry.container ? fromContainer(section, entry, entry.container, settings) : undefined
}

function fromProvider(
  section: ComponentSection,
  entry: ComponentEntry,
  provider: SelfHostedProvider,
  settings: TemplateSettings,
): TemplateComponent {
  const timing = {
    initial_delay: settings.defaults.initialDelay,
    interval: '10s',
    timeout: '5s',
    retries: 3,
  }
  const healthcheck: TemplateHealthcheck =
    'path' in provider.probe
      ? { path: provider.probe.path, ...timing }
      : { command: [...provider.probe.command], ...timing }
  const [port] = provider.ports
  return {
    provider: provider.name,
    ...(section === 'models' && entry.model !== undefined ? { model: entry.model } : {}),
    image: provider.image,
    port: port?.port ?? settings.defaults.port,
    replicas: 1,
    resources: resourcesFor(provider.gpu, settings),
    healthcheck,
    ...(provider.gpu ? { gpu: { runtime: 'cuda', count: 1 } } : {}),
    ...durability(
      section,
      { persistent: entry.persistent, gpu: provider.gpu, path: provider.dataPath },
      settings,
    ),
  }
}

function fromContainer(
  section: ComponentSection,
  entry: ComponentEntry,
  container: ContainerSpec,
  settings: TemplateSettings,
): TemplateComponent {
  const { gpu } = container
  const healthcheck = healthcheckOf(container.healthcheck, container.port !== undefined, settings)
  const persistent = entry.persistent || container.persistent
  const needs = { persistent, gpu: gpu !== undefined, path: container.volume ?? '/data' }
  return {
    image: container.image ?? '',
    port: container.port ?? settings.defaults.port,
    replicas: 1,
    resources: resourcesFor(gpu !== undefined, settings),
    ...(healthcheck ? { healthcheck } : {}),
    ...(gpu
      ? {
          gpu: {
            ...(gpu.vram === undefined ? {} : { vram: gpu.vram }),
            runtime: gpu.runtime,
            count: 1,
          },
        }
      : {}),
    ...durability(section, needs, settings),
  }
}

// A pod with a volume or a GPU must stop before its successor can start.
function durability(
  section: ComponentSection,
  needs: { persistent: boolean; gpu: boolean; path: string },
  settings: TemplateSettings,
): Pick<TemplateComponent, 'update' | 'persistent' | 'storage'> {
  const update = needs.persistent || needs.gpu ? ({ strategy: 'recreate' } as const) : rolling()
  const showsPersistence = section === 'knowledge' || needs.persistent
  return {
    update,
    ...(showsPersistence ? { persistent: needs.persistent } : {}),
    ...(needs.persistent ? { storage: storageFor(section, needs.path, settings) } : {}),
  }
}

/** Returns the default volume of a persistent component. */
export function storageFor(
  section: ComponentSection,
  path: string,
  settings: TemplateSettings,
): TemplateStorage {
  return {
    size: section === 'models' ? settings.defaults.modelStorageSize : settings.defaults.storageSize,
    ...(settings.storageClass === undefined ? {} : { class: settings.storageClass }),
    access_mode: 'ReadWriteOnce',
    mount_path: path,
  }
}

function resourcesFor(gpu: boolean, settings: TemplateSettings): TemplateComponent['resources'] {
  return copyResources(gpu ? settings.defaults.gpuResources : settings.defaults.resources)
}

const KEY_ORDER: readonly (keyof TemplateComponent)[] = [
  'provider',
  'model',
  'image',
  'port',
  'replicas',
  'resources',
  'environment',
  'inputs',
  'healthcheck',
  'update',
  'gpu',
  'persistent',
  'storage',
]

function inOrder(component: TemplateComponent): TemplateComponent {
  const entries = KEY_ORDER.flatMap((key) =>
    component[key] === undefined ? [] : [[key, component[key]] as const],
  )
  return Object.fromEntries(entries) as unknown as TemplateComponent
}
