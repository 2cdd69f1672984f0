import type { JsonValue } from './json.ts'

/** The sections whose entries are a provider or a container. */
export const COMPONENT_SECTIONS = ['models', 'knowledge', 'tools'] as const
/** One of `models`, `knowledge`, `tools`. */
export type ComponentSection = (typeof COMPONENT_SECTIONS)[number]

/** The sections that may name a provider. */
export const PROVIDER_SECTIONS = [...COMPONENT_SECTIONS, 'integrations'] as const
/** One of `models`, `knowledge`, `tools`, `integrations`. */
export type ProviderSection = (typeof PROVIDER_SECTIONS)[number]

/**
 * The typed view of a spec file: defaults applied, values of the wrong type omitted. Values that
 * are out of range are kept, so that they can be reported.
 */
export interface AgentSpec {
  readonly spec: string | undefined
  readonly name: string | undefined
  readonly description: string
  readonly tags: readonly string[]
  readonly agent: AgentSection
  readonly models: Readonly<Record<string, ComponentEntry>>
  readonly knowledge: Readonly<Record<string, ComponentEntry>>
  readonly tools: Readonly<Record<string, ComponentEntry>>
  readonly integrations: Readonly<Record<string, IntegrationEntry>>
  readonly providers: Readonly<Record<string, CustomProvider>>
  readonly ingestion: Readonly<Record<string, IngestionEntry>>
}

/** The agent's own container. */
interface AgentSection {
  readonly image: string | undefined
  readonly hasBuild: boolean
  readonly port: number | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck: Healthcheck | undefined
  readonly inputs: readonly Input[]
}

/** A model, a knowledge store or a tool. */
export interface ComponentEntry {
  readonly provider: string | undefined
  readonly container: ContainerSpec | undefined
  /** Models only. */
  readonly model: string | undefined
  /** Knowledge only; see also `ContainerSpec`. */
  readonly persistent: boolean
  readonly inputs: readonly Input[]
}

/** A container defined in the file. */
export interface ContainerSpec {
  readonly image: string | undefined
  readonly hasBuild: boolean
  readonly port: number | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly gpu: GpuSpec | undefined
  readonly persistent: boolean
  readonly volume: string | undefined
  readonly healthcheck: Healthcheck | undefined
}

/** The GPU that a container needs. */
export interface GpuSpec {
  readonly vram: string | undefined
  readonly runtime: string
}

/** How to check that a container is ready, and separately whether it must be restarted. */
export interface Healthcheck extends Check {
  /** Restarts the container when it fails. Without it, nothing does. */
  readonly liveness: Check | undefined
}

/** A check of a container. Durations are as written in the file. */
export interface Check {
  readonly path: string | undefined
  /** Without the leading `CMD`; a shell command is wrapped in `/bin/sh -c`. */
  readonly command: readonly string[] | undefined
  readonly interval: string
  readonly timeout: string
  readonly retries: number
}

/** A service outside the platform that needs credentials. */
export interface IntegrationEntry {
  readonly provider: string | undefined
  readonly type: string | undefined
  readonly credentials: readonly IntegrationCredential[]
}

/** One credential of an integration. */
interface IntegrationCredential {
  readonly suffix: string
  readonly description: string
  readonly optional: boolean
}

/** A provider defined in the file. */
export interface CustomProvider {
  readonly scope: readonly string[]
  readonly variables: readonly Input[]
}

/** A variable that is set when the agent is deployed. */
export interface Input {
  /** The environment variable. */
  readonly name: string
  readonly datatype: string | undefined
  readonly secret: boolean
  readonly description: string
  readonly default: JsonValue | undefined
  readonly optional: boolean
}

/** A pipeline that fills knowledge. */
export interface IngestionEntry {
  readonly container: ContainerSpec | undefined
  readonly trigger: string | undefined
  readonly inputs: readonly Input[]
}

/** The trigger types an ingestion may have. */
export const TRIGGER_TYPES = ['schedule', 'startup', 'manual', 'webhook'] as const
/** One of the trigger types. */
export type TriggerType = (typeof TRIGGER_TYPES)[number]
