import { defaultProviders, type ProviderTable } from '../providers.ts'
import type { TemplateResources } from './template-types.ts'

/**
 * What an operator decides about every deployment. Catalog and deployer have to be given the same.
 */
export interface TemplateSettings {
  readonly providers: ProviderTable
  /** The messaging image and the adapters that it serves; absent when the platform has none. */
  readonly messaging?: { readonly image: string; readonly adapters: readonly string[] }
  /** Absent: the cluster's default class. */
  readonly storageClass?: string
  readonly defaults: TemplateDefaults
}

/** The numbers that a template starts from. */
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

/** The settings of a platform whose operator configured nothing. */
export function defaultTemplateSettings(): TemplateSettings {
  return { providers: defaultProviders, defaults }
}

/** A copy of a default, for a component that may be given other values later. */
export function copyResources({ requests, limits }: TemplateResources): TemplateResources {
  return { requests: { ...requests }, limits: { ...limits } }
}
