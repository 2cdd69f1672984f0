/** What of an agent's build is deployed. */
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

/** What a container asks for and what it may use at most. */
export interface TemplateResources {
  requests: ResourceAmounts
  limits: ResourceAmounts
}

/** How pods are replaced. */
export type TemplateUpdate =
  | { strategy: 'rolling'; max_unavailable: number | string; max_surge: number | string }
  | { strategy: 'recreate' }

/** Exactly one of `path` (HTTP GET on the port), `command` and `tcp` (the port accepts). */
export interface TemplateHealthcheck {
  path?: string
  command?: string[]
  tcp?: true
  initial_delay: string
  interval: string
  timeout: string
  retries: number
}

/** What a component needs of GPUs; `count: 0` runs it without. */
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

/**
 * The agent itself. `inputs` are the variables of `environment` that `user_credentials` may
 * replace.
 */
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

/** A value to give in `user_credentials`. The template never holds it. */
export interface TemplateCredential {
  value: ''
  description: string
  optional?: true
  /** False for an input that is no secret. */
  secret?: false
  /** Another key that may be given in its place. */
  same_as?: string
  /** Used when it isn't given. */
  default?: string
}

/**
 * All that a deploy does, before and after it is filled. JSON and YAML show it as it stands here.
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
  /** The paths that `overrides` takes; `*` stands for any key. */
  editable: string[]
}
