/** The build to deploy. */
export interface TemplateSource {
  readonly account: string
  readonly name: string
  readonly build: string
  readonly registry: string
}

/** CPU and memory as Kubernetes quantities. */
interface ResourceAmounts {
  cpu: string
  memory: string
}

/** The resources that a container requests, and their limits. */
export interface TemplateResources {
  requests: ResourceAmounts
  limits: ResourceAmounts
}

/** How pods are replaced. */
export type TemplateUpdate =
  | { strategy: 'rolling'; max_unavailable: number | string; max_surge: number | string }
  | { strategy: 'recreate' }

/**
 * Sets exactly one of `path` (HTTP GET on the port), `command` and `tcp` (connects to the port).
 */
export interface TemplateCheck {
  path?: string
  command?: string[]
  tcp?: true
  interval: string
  timeout: string
  retries: number
}

/**
 * Whether a container has started and is ready. Only a failing `liveness` restarts it, which is
 * checked after `initial_delay`.
 */
export interface TemplateHealthcheck extends TemplateCheck {
  initial_delay: string
  liveness?: TemplateCheck
}

/** The GPUs that a component needs; `count: 0` runs it without any. */
export interface TemplateGpu {
  vram?: string
  runtime: string
  count: number
}

/** A volume that outlives the pods. */
export interface TemplateStorage {
  size: string
  class?: string
  access_mode: string
  mount_path: string
}

/** The agent. `inputs` are the variables of `environment` that `user_credentials` may replace. */
export interface TemplateAgent {
  image: string
  port: number
  replicas: number
  resources: TemplateResources
  environment: Record<string, string>
  inputs?: string[]
  healthcheck?: TemplateHealthcheck
  update: TemplateUpdate
  expose: { enabled: boolean }
}

/** A model, knowledge store or tool that runs as a container. */
export interface TemplateComponent {
  provider?: string
  model?: string
  image: string
  port: number
  replicas: number
  resources: TemplateResources
  environment?: Record<string, string>
  inputs?: string[]
  healthcheck?: TemplateHealthcheck
  update: TemplateUpdate
  gpu?: TemplateGpu
  persistent?: boolean
  storage?: TemplateStorage
}

/** An ingestion pipeline; `schedule` is empty until the deploy request fills it. */
export interface TemplateIngestion {
  image: string
  port?: number
  resources: TemplateResources
  environment?: Record<string, string>
  inputs?: string[]
  healthcheck?: TemplateHealthcheck
  trigger: { type: string; schedule?: string }
}

/** The messaging container. */
interface TemplateInterfaces {
  adapters: string[]
  available_adapters: string[]
  port: number
  resources: TemplateResources
  expose: { enabled: boolean }
}

/** A value to set in `user_credentials`. The template never contains it. */
export interface TemplateCredential {
  value: ''
  description: string
  optional?: true
  /** False for a plain input. */
  secret?: false
  /** Another key for the same value: setting either one is enough. */
  same_as?: string
  /** Used if the value isn't set. */
  default?: string
}

/**
 * Describes everything that a deploy creates, before and after it is filled. This is also its JSON
 * and YAML form.
 */
export interface DeploymentTemplate {
  spec: 'deployment/v1'
  source: TemplateSource
  target: { runtime: 'kubernetes'; namespace?: string }
  agent: TemplateAgent
  models: Record<string, TemplateComponent>
  knowledge: Record<string, TemplateComponent>
  tools: Record<string, TemplateComponent>
  ingestion: Record<string, TemplateIngestion>
  interfaces: TemplateInterfaces
  credentials: Record<string, TemplateCredential>
  observability: { enabled: boolean }
  /** The paths that `overrides` may set; `*` matches any key. */
  editable: string[]
}
