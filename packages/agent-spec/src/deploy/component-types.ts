import type { ComponentKind } from '../names/object-name.ts'
import type { TriggerType } from '../spec-types.ts'
import type { TemplateGpu, TemplateResources, TemplateUpdate } from '../template/template-types.ts'
import type { TelemetrySettings } from './platform-variables.ts'

/** Which component is meant: the agent and the messaging container have no entry. */
export interface ComponentRef {
  readonly kind: ComponentKind
  readonly entry?: string
}

/** The variables of a component's container. No name is in both. */
export interface ComponentEnvironment {
  readonly plain: Record<string, string>
  readonly secret: Record<string, string>
}

/** How a container is probed, in the units of Kubernetes. */
export interface ComponentProbe {
  readonly check:
    | { readonly kind: 'http'; readonly path: string; readonly port: number }
    | { readonly kind: 'exec'; readonly command: readonly string[] }
    | { readonly kind: 'tcp'; readonly port: number }
  readonly initialDelaySeconds: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

/** A volume that outlives the pods. */
export interface ComponentStorage {
  readonly size: string
  readonly storageClass?: string
  readonly accessMode: string
  readonly mountPath: string
}

/** Whom a provider's image was made for; other images get the platform's defaults. */
export interface ComponentUser {
  readonly uid: number
  readonly gid: number
  readonly fsGroup: number
}

/** All that is needed to make the Kubernetes objects of one component. */
export interface ResolvedComponent extends ComponentRef {
  /** `agent`, `knowledge-docs`, … for labels and answers. */
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  /** Runs to its end before the container, with its image, variables and volumes. */
  readonly prepare?: { readonly command: readonly string[] }
  readonly ports: readonly { readonly name: string; readonly port: number }[]
  readonly replicas: number
  readonly environment: ComponentEnvironment
  readonly resources: TemplateResources
  readonly probe?: ComponentProbe
  readonly update: TemplateUpdate
  readonly gpu?: TemplateGpu
  readonly storage?: ComponentStorage
  /** Directories that need an empty volume, because the image writes to them. */
  readonly writablePaths: readonly string[]
  readonly user?: ComponentUser
  readonly trigger?: { readonly type: TriggerType; readonly schedule?: string }
  /** Whether it may be reached from outside the cluster, on this port. */
  readonly expose?: { readonly port: number }
  /**
   * The agent with telemetry on: it also gets the variable of the deployment's telemetry Secret.
   */
  readonly telemetry: boolean
}

/** What a template leaves open until it is deployed. */
export interface ResolveOptions {
  /**
   * Values of credentials by key: those that the request brought and those that the cluster has.
   */
  readonly credentials: Readonly<Record<string, string>>
  /** The generated passwords of stores, by `knowledge.<entry>` (see `storesWithPassword`). */
  readonly storePasswords: Readonly<Record<string, string>>
  /** The host name of a component's Service. */
  readonly serviceHost: (component: ComponentRef) => string
  /** Absent: no telemetry on this platform. */
  readonly telemetry?: TelemetrySettings
}
