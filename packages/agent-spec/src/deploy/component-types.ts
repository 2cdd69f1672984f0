import type { ComponentKind } from '../names/object-name.ts'
import type { TriggerType } from '../spec-types.ts'
import type { TemplateGpu, TemplateResources, TemplateUpdate } from '../template/template-types.ts'
import type { TelemetrySettings } from './platform-variables.ts'

/** Identifies a component. The agent and the messaging container have no entry. */
export interface ComponentRef {
  readonly kind: ComponentKind
  readonly entry?: string
}

/** The variables of a component's container. Each name is in only one of the two. */
export interface ComponentEnvironment {
  readonly plain: Record<string, string>
  readonly secret: Record<string, string>
}

/** A check of a container, in Kubernetes units. */
export interface ComponentCheck {
  readonly check:
    | { readonly kind: 'http'; readonly path: string; readonly port: number }
    | { readonly kind: 'exec'; readonly command: readonly string[] }
    | { readonly kind: 'tcp'; readonly port: number }
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

/** Whether a container has started and is ready, and whether it must be restarted. */
export interface ComponentProbe extends ComponentCheck {
  /** Absent if no check may restart the container. */
  readonly liveness?: ComponentCheck & { readonly initialDelaySeconds: number }
}

/** A volume that outlives the pods. */
export interface ComponentStorage {
  readonly size: string
  readonly storageClass?: string
  readonly accessMode: string
  readonly mountPath: string
}

/** The user that a provider's image expects; other images run as the platform's default user. */
export interface ComponentUser {
  readonly uid: number
  readonly gid: number
  readonly fsGroup: number
}

/** Everything needed to build one component's Kubernetes objects. */
export interface ResolvedComponent extends ComponentRef {
  /** Shown in labels and responses: `agent`, `knowledge-docs`, … */
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  /** An init step with the container's image, variables and volumes. */
  readonly prepare?: { readonly command: readonly string[] }
  readonly ports: readonly { readonly name: string; readonly port: number }[]
  readonly replicas: number
  readonly environment: ComponentEnvironment
  readonly resources: TemplateResources
  readonly probe?: ComponentProbe
  readonly update: TemplateUpdate
  readonly gpu?: TemplateGpu
  readonly storage?: ComponentStorage
  /** Directories that the image writes to; each gets an empty volume. */
  readonly writablePaths: readonly string[]
  readonly user?: ComponentUser
  readonly trigger?: { readonly type: TriggerType; readonly schedule?: string }
  /** The port that is exposed outside the cluster; absent if the component is internal. */
  readonly expose?: { readonly port: number }
  /**
   * Whether it gets the variable from the deployment's telemetry Secret. Only true for the agent.
   */
  readonly telemetry: boolean
}

/** The values that are not known before a template is deployed. */
export interface ResolveOptions {
  /** Values of credentials by key, from the request and from the cluster. */
  readonly credentials: Readonly<Record<string, string>>
  /** Generated passwords of stores, by `knowledge.<entry>` (see `storesWithPassword`). */
  readonly storePasswords: Readonly<Record<string, string>>
  /** The host name of a component's Service. */
  readonly serviceHost: (component: ComponentRef) => string
  /** Absent if the platform has no telemetry. */
  readonly telemetry?: TelemetrySettings
}
