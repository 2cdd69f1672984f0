import { sortedEntries } from '../json.ts'
import { componentName, type ComponentKind } from '../names/object-name.ts'
import type { SelfHostedProvider } from '../providers.ts'
import { COMPONENT_SECTIONS, TRIGGER_TYPES, type ComponentSection } from '../spec-types.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type {
  DeploymentTemplate,
  TemplateComponent,
  TemplateIngestion,
} from '../template/template-types.ts'
import type { ComponentEnvironment, ResolvedComponent, ResolveOptions } from './component-types.ts'
import { alternativeKeys } from './credential-problems.ts'
import { messagingComponent } from './messaging.ts'
import { telemetryVariables } from './platform-variables.ts'
import { portsOf, probeOf, storageOf } from './resolve-parts.ts'
import {
  KIND_OF_SECTION,
  providerOf,
  resolveEnvironment,
  type ResolveContext,
} from './resolve-values.ts'
import { ResolvedSize } from './resolved-size.ts'

/**
 * Resolves a filled template to its components, in a stable order: agent, models, knowledge, tools,
 * ingestion, messaging. Expects a valid template (see `validateTemplate`). Throws
 * VariablesTooLargeError.
 */
export function resolvedComponents(
  template: DeploymentTemplate,
  settings: TemplateSettings,
  options: ResolveOptions,
): ResolvedComponent[] {
  const keysFor = alternativeKeys(template)
  const serviceHost = rememberedHosts(options.serviceHost)
  const context = {
    template,
    settings,
    options: { ...options, serviceHost },
    keysFor,
    size: new ResolvedSize(),
  }
  return [
    agentComponent(context),
    ...COMPONENT_SECTIONS.flatMap((section) =>
      sortedEntries(template[section]).map(([entry, component]) =>
        sectionComponent(context, section, entry, component),
      ),
    ),
    ...sortedEntries(template.ingestion).map(([entry, ingestion]) =>
      ingestionComponent(context, entry, ingestion),
    ),
    ...messagingComponent(context, agentAddress(context)),
  ]
}

// A name can contain a hash, and values can refer to it many times.
function rememberedHosts(hostOf: ResolveOptions['serviceHost']): ResolveOptions['serviceHost'] {
  const hosts = new Map<string, string>()
  return (component) => {
    const name = componentName(component.kind, component.entry)
    let host = hosts.get(name)
    if (host === undefined) hosts.set(name, (host = hostOf(component)))
    return host
  }
}

function agentComponent(context: ResolveContext): ResolvedComponent {
  const { template, options } = context
  const { agent, source, interfaces } = template
  const telemetry = template.observability.enabled ? options.telemetry : undefined
  const traces = telemetry && telemetryVariables(source.name, telemetry)
  const messaging =
    interfaces.adapters.length > 0 ? { GRPC_SERVER_ADDR: messagingAddress(context) } : {}
  const platform = {
    ASTRO_AGENT_NAME: source.name,
    ASTRO_AGENT_BUILD: source.build,
    ...agentAddress(context),
    ...messaging,
    ...traces?.reserved,
  }
  const probe = probeOf(agent.healthcheck, agent.port)
  return {
    ...identity('agent'),
    image: agent.image,
    args: [],
    ports: [{ name: 'http', port: agent.port }],
    replicas: agent.replicas,
    environment: layered(
      traces?.defaults ?? {},
      resolveEnvironment(agent.environment, context),
      platform,
    ),
    resources: agent.resources,
    ...(probe ? { probe } : {}),
    update: agent.update,
    writablePaths: [],
    ...(agent.expose.enabled ? { expose: { port: agent.port } } : {}),
    telemetry: telemetry !== undefined,
  }
}

function sectionComponent(
  context: ResolveContext,
  section: ComponentSection,
  entry: string,
  component: TemplateComponent,
): ResolvedComponent {
  const provider = providerOf(context, section, entry)
  const own = resolveEnvironment(component.environment ?? {}, context)
  const password = context.options.storePasswords[`${section}.${entry}`] ?? ''
  const probe = probeOf(component.healthcheck, component.port)
  const isPersistent = component.storage !== undefined
  return {
    ...identity(KIND_OF_SECTION[section], entry),
    image: component.image,
    ports: portsOf(provider, component.port),
    replicas: component.replicas,
    resources: component.resources,
    ...(probe ? { probe } : {}),
    update: component.update,
    ...(component.gpu && component.gpu.count > 0 ? { gpu: component.gpu } : {}),
    ...(component.storage ? { storage: storageOf(component.storage) } : {}),
    telemetry: false,
    ...(provider
      ? providerParts(provider, { own, password, isPersistent, model: component.model })
      : { environment: own, args: [], writablePaths: [] }),
  }
}

// Variables of the spec take precedence over those of the provider's row; a password over both.
function providerParts(
  provider: SelfHostedProvider,
  given: {
    own: ComponentEnvironment
    password: string
    isPersistent: boolean
    model: string | undefined
  },
): Pick<ResolvedComponent, 'environment' | 'args' | 'writablePaths' | 'user' | 'prepare'> {
  const pull = given.model === undefined ? undefined : provider.pullModel
  const secrets = Object.entries(provider.password?.environment ?? {}).map(
    ([name, value]) => [name, value.replaceAll('{password}', given.password)] as const,
  )
  const row = {
    ...provider.environment,
    ...(pull ? { [pull.modelVariable]: given.model ?? '' } : {}),
  }
  const environment = layered(row, given.own, {})
  return {
    environment: disjoint(environment.plain, {
      ...environment.secret,
      ...Object.fromEntries(secrets),
    }),
    args: [
      ...provider.args,
      ...(given.isPersistent ? provider.persistentArgs : []),
      ...(provider.password?.args ?? []),
    ],
    writablePaths: given.isPersistent
      ? provider.writablePaths
      : [...provider.writablePaths, provider.dataPath],
    user: { uid: provider.uid, gid: provider.gid, fsGroup: provider.fsGroup },
    ...(pull ? { prepare: { command: pull.command } } : {}),
  }
}

function ingestionComponent(
  context: ResolveContext,
  entry: string,
  ingestion: TemplateIngestion,
): ResolvedComponent {
  const type = TRIGGER_TYPES.find((known) => known === ingestion.trigger.type) ?? 'manual'
  const { port } = ingestion
  const { schedule } = ingestion.trigger
  const probe = port === undefined ? undefined : probeOf(ingestion.healthcheck, port)
  return {
    ...identity('ingestion', entry),
    image: ingestion.image,
    args: [],
    ports: port === undefined ? [] : [{ name: 'http', port }],
    replicas: 1,
    environment: layered(
      {},
      resolveEnvironment(ingestion.environment ?? {}, context),
      agentAddress(context),
    ),
    resources: ingestion.resources,
    ...(probe ? { probe } : {}),
    update: { strategy: 'rolling', max_unavailable: '25%', max_surge: '25%' },
    writablePaths: [],
    trigger: { type, ...(schedule === undefined || schedule === '' ? {} : { schedule }) },
    ...(type === 'webhook' && port !== undefined ? { expose: { port } } : {}),
    telemetry: false,
  }
}

function agentAddress({ template, options }: ResolveContext): {
  AGENT_URL: string
  AGENT_HOST: string
} {
  const host = options.serviceHost({ kind: 'agent' })
  return { AGENT_URL: `http://${host}:${template.agent.port}`, AGENT_HOST: host }
}

function messagingAddress({ template, options }: ResolveContext): string {
  return `${options.serviceHost({ kind: 'messaging' })}:${template.interfaces.port}`
}

function identity(
  kind: ComponentKind,
  entry?: string,
): Pick<ResolvedComponent, 'kind' | 'entry' | 'name'> {
  return { kind, ...(entry === undefined ? {} : { entry }), name: componentName(kind, entry) }
}

// Later layers win. Variables that the platform sets are plain, even if the spec has a secret one.
function layered(
  below: Readonly<Record<string, string | undefined>>,
  own: ComponentEnvironment,
  above: Readonly<Record<string, string | undefined>>,
): ComponentEnvironment {
  const plain = { ...below, ...own.plain, ...above } as Record<string, string>
  const secret = Object.fromEntries(
    Object.entries(own.secret).filter(([name]) => !Object.hasOwn(above, name)),
  )
  return disjoint(plain, secret)
}

function disjoint(
  plain: Record<string, string>,
  secret: Record<string, string>,
): ComponentEnvironment {
  const isPlain = ([name]: [string, string]) => !Object.hasOwn(secret, name)
  return {
    plain: Object.fromEntries(sortedEntries(plain).filter(isPlain)),
    secret: Object.fromEntries(sortedEntries(secret)),
  }
}
