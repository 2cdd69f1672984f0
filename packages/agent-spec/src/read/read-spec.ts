import { isObject, own, type JsonObject } from '../json.ts'
import type {
  AgentSpec,
  Check,
  ComponentEntry,
  ContainerSpec,
  CustomProvider,
  GpuSpec,
  Healthcheck,
  IngestionEntry,
  Input,
  IntegrationEntry,
} from '../spec-types.ts'
import {
  entriesOf,
  environmentText,
  inputsOf,
  integerOf,
  isTrue,
  listOf,
  objectOf,
  TAG_LIMITS,
  textOf,
  variableNameOf,
} from './values.ts'

/**
 * Returns the typed view of a spec document, e.g. one that was stored as JSON. Never throws: values
 * of the wrong type are omitted.
 */
export function readSpec(document: JsonObject): AgentSpec {
  const agent = objectOf(document, 'agent')
  return {
    spec: textOf(document, 'spec'),
    name: textOf(document, 'name'),
    description: specDescription(document),
    tags: specTags(document),
    agent: {
      image: textOf(agent, 'image'),
      hasBuild: isObject(own(agent, 'build')),
      port: integerOf(agent, 'port'),
      environment: readEnvironment(agent),
      healthcheck: readHealthcheck(agent),
      inputs: readInputs(agent),
    },
    models: entriesOf(document, 'models', readComponent),
    knowledge: entriesOf(document, 'knowledge', readComponent),
    tools: entriesOf(document, 'tools', readComponent),
    integrations: entriesOf(document, 'integrations', readIntegration),
    providers: entriesOf(document, 'providers', readProvider),
    ingestion: entriesOf(document, 'ingestion', readIngestion),
  }
}

/** Returns the description for the catalog, '' if there is none. */
export function specDescription(document: JsonObject): string {
  return textOf(objectOf(document, 'meta'), 'description')?.trim() ?? ''
}

/** Returns the distinct tags for the catalog in the spec's order, within TAG_LIMITS. */
export function specTags(document: JsonObject): string[] {
  const tags = listOf(objectOf(document, 'meta'), 'tags').slice(0, TAG_LIMITS.count)
  const words = tags.flatMap((tag) =>
    typeof tag === 'string' && tag.trim() !== '' && tag.length <= TAG_LIMITS.length
      ? [tag.trim()]
      : [],
  )
  return [...new Set(words)]
}

function readComponent(entry: JsonObject): ComponentEntry {
  return {
    provider: textOf(entry, 'provider'),
    container: readContainer(entry),
    model: textOf(entry, 'model'),
    persistent: isTrue(entry, 'persistent'),
    inputs: readInputs(entry),
  }
}

function readContainer(entry: JsonObject): ContainerSpec | undefined {
  const container = own(entry, 'container')
  if (!isObject(container)) return undefined
  return {
    image: textOf(container, 'image'),
    hasBuild: isObject(own(container, 'build')),
    port: integerOf(container, 'port'),
    environment: readEnvironment(container),
    gpu: readGpu(container),
    persistent: isTrue(container, 'persistent'),
    volume: textOf(container, 'volume'),
    healthcheck: readHealthcheck(container),
  }
}

function readEnvironment(container: JsonObject): Record<string, string> {
  const entries = Object.entries(objectOf(container, 'environment'))
  return Object.fromEntries(entries.map(([name, value]) => [name, environmentText(value)]))
}

function readGpu(container: JsonObject): GpuSpec | undefined {
  const gpu = own(container, 'gpu')
  if (!isObject(gpu)) return undefined
  const vram = own(gpu, 'vram')
  return {
    vram: typeof vram === 'number' ? String(vram) : textOf(gpu, 'vram'),
    runtime: textOf(gpu, 'runtime') ?? 'cuda',
  }
}

function readHealthcheck(container: JsonObject): Healthcheck | undefined {
  const check = own(container, 'healthcheck')
  if (!isObject(check)) return undefined
  const liveness = own(check, 'liveness')
  return {
    ...readCheck(check),
    liveness: isObject(liveness) ? readCheck(liveness) : undefined,
  }
}

function readCheck(check: JsonObject): Check {
  return {
    path: textOf(check, 'path'),
    command: readCommand(check),
    interval: textOf(check, 'interval') ?? '10s',
    timeout: textOf(check, 'timeout') ?? '5s',
    retries: integerOf(check, 'retries') ?? 3,
  }
}

function readCommand(check: JsonObject): string[] | undefined {
  const words = listOf(check, 'test').filter((word) => typeof word === 'string')
  const [first, ...rest] = words
  if (first === 'CMD') return rest.length > 0 ? rest : undefined
  if (first === 'CMD-SHELL') return rest.length > 0 ? ['/bin/sh', '-c', rest.join(' ')] : undefined
  return first === undefined ? undefined : words
}

function readIntegration(entry: JsonObject): IntegrationEntry {
  const credentials = listOf(entry, 'credentials').flatMap((credential) => {
    const suffix = isObject(credential) ? variableNameOf(credential, 'suffix') : undefined
    if (!isObject(credential) || suffix === undefined) return []
    return [
      {
        suffix,
        description: textOf(credential, 'description') ?? '',
        optional: isTrue(credential, 'optional'),
      },
    ]
  })
  return { provider: textOf(entry, 'provider'), type: textOf(entry, 'type'), credentials }
}

function readProvider(entry: JsonObject): CustomProvider {
  return {
    scope: listOf(entry, 'scope').filter((section) => typeof section === 'string'),
    variables: listOf(entry, 'variables').flatMap((variable) =>
      isObject(variable) ? readInput(variable) : [],
    ),
  }
}

function readIngestion(entry: JsonObject): IngestionEntry {
  return {
    container: readContainer(entry),
    trigger: textOf(objectOf(entry, 'trigger'), 'type'),
    inputs: readInputs(entry),
  }
}

function readInputs(entry: JsonObject): Input[] {
  return inputsOf(entry).flatMap(([, input]) => readInput(input))
}

function readInput(input: JsonObject): Input[] {
  const name = variableNameOf(input, 'name')
  if (name === undefined) return []
  const fallback = own(input, 'default')
  return [
    {
      name,
      datatype: textOf(input, 'datatype'),
      secret: isTrue(input, 'secret'),
      description: textOf(input, 'description') ?? '',
      default: fallback === null ? undefined : fallback,
      optional: isTrue(input, 'optional'),
    },
  ]
}
