import { defaultProviders, type ProviderTable } from '../providers.ts'
import type { TemplateResources } from './template-types.ts'

/**
 * The operator's settings for all deployments. The catalog and the deployer must have the same
 * values.
 */
export interface TemplateSettings {
  readonly providers: ProviderTable
  /** The messaging image and the adapters it serves; absent if the platform has none. */
  readonly messaging?: { readonly image: string; readonly adapters: readonly string[] }
  /** Absent for the cluster's default class. */
  readonly storageClass?: string
  readonly defaults: TemplateDefaults
}

/** The default values of a template. */
export interface TemplateDefaults {
  readonly port: number
  readonly messagingPort: number
  readonly resources: TemplateResources
  readonly gpuResources: TemplateResources
  readonly messagingResources: TemplateResources
  readonly ingestionResources: TemplateResources
  readonly storageSize: string
  readonly modelStorageSize: string
  readonly initialDelay: string
}

const defaults: TemplateDefaults = {
  port: 8080,
  messagingPort: 9090,
  resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } },
  gpuResources: { requests: { cpu: '2', memory: '8Gi' }, limits: { cpu: '4', memory: '16Gi' } },
  messagingResources: {
    requests: { cpu: '100m', memory: '128Mi' },
    limits: { cpu: '500m', memory: '512Mi' },
  },
  ingestionResources: {
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { cpu: '500m', memory: '512Mi' },
  },
  storageSize: '10Gi',
  modelStorageSize: '50Gi',
  initialDelay: '10s',
}

/** Returns the settings of a platform without any configuration. */
export function defaultTemplateSettings(): TemplateSettings {
  return { providers: defaultProviders, defaults }
}

/** Copies default resources for a component, which overrides may change later. */
export function copyResources({ requests, limits }: TemplateResources): TemplateResources {
  return { requests: { ...requests }, limits: { ...limits } }
}
