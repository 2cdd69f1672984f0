import { agentVariables, declaredCredentials } from '../environment/environments.ts'
import type { DeclaredCredential, Variable } from '../environment/variables.ts'
import { pinnedImage } from '../grammar/image.ts'
import { interfaceAdapters } from '../interfaces.ts'
import { compareCodePoints, own, sortedRecord } from '../json.ts'
import type { AgentSpec } from '../spec-types.ts'
import { buildComponents, buildIngestions } from './build-components.ts'
import { environmentOf, healthcheckOf, rolling } from './build-parts.ts'
import { EDITABLE_PATHS } from './editable.ts'
import { copyResources, type TemplateSettings } from './settings.ts'
import { withImages } from './template-images.ts'
import { TemplateSize } from './template-size.ts'
import type {
  DeploymentTemplate,
  TemplateAgent,
  TemplateCredential,
  TemplateSource,
} from './template-types.ts'

/** The input of a template. */
export interface TemplateInput {
  readonly spec: AgentSpec
  readonly source: TemplateSource
  /** Omitted for non-members and before the first deploy. */
  readonly namespace?: string
  readonly settings: TemplateSettings
  /** Registered digests by image. Omitted before the registration. */
  readonly imageDigests?: Readonly<Record<string, string>>
}

/**
 * Builds the deployment template of a build. The same input produces the same bytes. Throws
 * TemplateTooLargeError.
 */
export function buildTemplate(input: TemplateInput): DeploymentTemplate {
  const { spec, settings, namespace, imageDigests = {} } = input
  const { account, name, build, registry } = input.source
  const credentials = declaredCredentials(spec, settings.providers)
  const size = new TemplateSize()
  const template: DeploymentTemplate = {
    spec: 'deployment/v1',
    source: { account, name, build, registry },
    target: { runtime: 'kubernetes', ...(namespace === undefined ? {} : { namespace }) },
    agent: size.add(buildAgent(input)),
    models: size.add(buildComponents(spec, 'models', settings)),
    knowledge: size.add(buildComponents(spec, 'knowledge', settings)),
    tools: size.add(buildComponents(spec, 'tools', settings)),
    ingestion: buildIngestions(spec, settings, size),
    interfaces: {
      adapters: [],
      available_adapters: availableAdapters(settings),
      port: settings.defaults.messagingPort,
      resources: copyResources(settings.defaults.messagingResources),
      expose: { enabled: true },
    },
    credentials: size.add(
      sortedRecord(
        [...credentials.values()].map((declared) => [declared.key, templateCredential(declared)]),
      ),
    ),
    observability: { enabled: true },
    editable: EDITABLE_PATHS.map(({ path }) => path),
  }
  return withImages(template, (image) => {
    const digest = own(imageDigests, image)
    return digest === undefined ? image : pinnedImage(image, digest)
  })
}

// Adapters that the messaging image serves and the format knows.
function availableAdapters(settings: TemplateSettings): string[] {
  const served = settings.messaging?.adapters ?? []
  return [...new Set(served)]
    .filter((name) => own(interfaceAdapters, name) !== undefined)
    .sort(compareCodePoints)
}

/** Returns the image of a build whose spec has none: `<registry>/<agent>:<build>`. */
export function defaultImage(source: TemplateSource): string {
  const registry = source.registry.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
  return `${registry}/${source.name}:${source.build}`
}

/** Converts a declared credential to the form used in a template. */
export function templateCredential(declared: DeclaredCredential): TemplateCredential {
  return {
    value: '',
    description: declared.description,
    ...(declared.optional ? { optional: true } : {}),
    ...(declared.secret ? {} : { secret: false }),
    ...(declared.sameAs === undefined ? {} : { same_as: declared.sameAs }),
    ...(declared.default === undefined ? {} : { default: declared.default }),
  }
}

function buildAgent({ spec, source, settings }: TemplateInput): TemplateAgent {
  const { agent } = spec
  const variables: Variable[] = agentVariables(spec, settings.providers)
  const healthcheck = healthcheckOf(agent.healthcheck, agent.port !== undefined, settings)
  return {
    image: agent.image ?? defaultImage(source),
    port: agent.port ?? settings.defaults.port,
    replicas: 1,
    resources: copyResources(settings.defaults.resources),
    environment: {},
    ...environmentOf(variables),
    ...(healthcheck ? { healthcheck } : {}),
    update: rolling(),
    expose: { enabled: false },
  }
}
