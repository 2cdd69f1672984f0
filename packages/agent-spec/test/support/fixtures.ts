import {
  buildTemplate,
  defaultTemplateSettings,
  fillTemplate,
  objectName,
  parseSpec,
  resolvedComponents,
  storesWithPassword,
  validateTemplate,
  type AgentSpec,
  type ComponentRef,
  type DeploymentTemplate,
  type DeployRequestValues,
  type FilledTemplate,
  type ParsedSpec,
  type ResolvedComponent,
  type TemplateSettings,
} from '../../src/index.ts'

/** A platform that serves only the web adapter. */
export const settings: TemplateSettings = {
  ...defaultTemplateSettings(),
  messaging: { image: 'messaging:1', adapters: ['web'] },
}

export const source = {
  account: 'acme',
  name: 'example',
  build: 'b1',
  registry: 'https://registry.example.com/acme/',
}

/** Parses a spec from the text after its name. Adds an agent if the text has none. */
export function specOf(yaml: string): AgentSpec {
  return parsedOf(yaml).spec
}

export function parsedOf(yaml: string): ParsedSpec {
  const agent = /^agent:/m.test(yaml) ? '' : 'agent: { image: example:1 }\n'
  return parseSpec(`spec: astro/v1\nname: example\n${agent}${yaml}`)
}

export function templateOf(spec: AgentSpec | string, platform = settings): DeploymentTemplate {
  return buildTemplate({
    spec: typeof spec === 'string' ? specOf(spec) : spec,
    source,
    settings: platform,
  })
}

/** Fills and validates a deploy, as the deployer does. */
export function prepare(
  spec: AgentSpec,
  request: DeployRequestValues = {},
  platform = settings,
): { filled: FilledTemplate; problems: string[] } {
  const filled = fillTemplate(templateOf(spec, platform), request, platform)
  return { filled, problems: validateTemplate(filled, spec, platform) }
}

export const serviceHost = ({ kind, entry }: ComponentRef): string =>
  objectName(source.name, kind, entry)

/** Resolves the components of a prepared deploy. The password of a store is `pw/` and its path. */
export function resolve(
  filled: FilledTemplate,
  credentials: Readonly<Record<string, string>> = filled.givenCredentials,
  platform = settings,
): Record<string, ResolvedComponent> {
  const stores = storesWithPassword(filled.template, platform)
  const components = resolvedComponents(filled.template, platform, {
    credentials,
    storePasswords: Object.fromEntries(stores.map((store) => [store, `pw/${store}`])),
    serviceHost,
    telemetry: {
      endpoint: 'http://ingest:4318',
      protocol: 'http/protobuf',
      resourceAttributes: { a: 'b c' },
    },
  })
  return Object.fromEntries(components.map((component) => [component.name, component]))
}
