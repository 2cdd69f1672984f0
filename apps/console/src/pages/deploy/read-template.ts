/** A value that a deploy sets in `user_credentials`. */
export interface CredentialField {
  readonly key: string
  readonly description: string
  readonly isRequired: boolean
  readonly isSecret: boolean
  /** Used if nothing is set; undefined if there is no default, or it is a secret. */
  readonly fallback?: string
  /** Another key for the same value: setting either one is enough. */
  readonly sameAs?: string
}

/** A value of the template that many deploys override. */
export interface Setting {
  /** As in `overrides`. */
  readonly path: string
  readonly label: string
  readonly value: number | string | boolean
}

/** A component with its settings. */
export interface Part {
  /** Its path in the template, for example `models.main`. */
  readonly path: string
  readonly settings: readonly Setting[]
}

/** What the form shows of a deployment template. */
export interface FormTemplate {
  readonly build: string
  readonly credentials: readonly CredentialField[]
  readonly parts: readonly Part[]
  /** Names of the ingestions that run on a schedule. */
  readonly schedules: readonly string[]
  readonly adapters: readonly string[]
  /** The paths that can be overridden; `*` matches any key. */
  readonly editable: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

const SETTINGS: readonly (readonly [path: string, label: string])[] = [
  ['replicas', 'Replicas'],
  ['resources.requests.cpu', 'CPU request'],
  ['resources.limits.cpu', 'CPU limit'],
  ['resources.requests.memory', 'Memory request'],
  ['resources.limits.memory', 'Memory limit'],
  ['storage.size', 'Volume size'],
  ['gpu.count', 'GPUs'],
  ['expose.enabled', 'Public URL'],
]
const SECTIONS = ['models', 'knowledge', 'tools', 'ingestion'] as const

/** Reads a deployment template. What it doesn't know is left out. */
export function readTemplate(template: Json): FormTemplate {
  const interfaces = objectOf(template['interfaces'])
  const ingestions = Object.entries(objectOf(template['ingestion']))
  return {
    build: textOf(objectOf(template['source'])['build']),
    credentials: [...credentialsOf(template), ...inputsOf(template)],
    parts: partsOf(template).map(([path, part]) => ({ path, settings: settingsOf(path, part) })),
    schedules: ingestions
      .filter(([, ingestion]) => objectOf(objectOf(ingestion)['trigger'])['type'] === 'schedule')
      .map(([name]) => name),
    adapters: textsOf(interfaces['available_adapters']),
    editable: textsOf(template['editable']),
  }
}

/** The value below a dotted path; undefined if there is none. */
export function valueBelow(value: unknown, path: string): unknown {
  return path.split('.').reduce((known, key) => objectOf(known)[key], value)
}

function credentialsOf(template: Json): CredentialField[] {
  return Object.entries(objectOf(template['credentials'])).map(([key, given]) => {
    const { description, optional, secret, same_as: sameAs, default: fallback } = objectOf(given)
    return {
      key,
      description: textOf(description),
      isRequired: optional !== true,
      isSecret: secret !== false,
      ...(typeof fallback === 'string' && secret === false && { fallback }),
      ...(typeof sameAs === 'string' && { sameAs }),
    }
  })
}

/** The inputs with a default: each is a variable of a component, and may have another value. */
function inputsOf(template: Json): CredentialField[] {
  const found = new Map<string, CredentialField>()
  for (const [path, part] of partsOf(template))
    for (const key of textsOf(part['inputs'])) {
      const fallback = textOf(objectOf(part['environment'])[key])
      const description = `Input of ${path}`
      found.set(key, { key, description, isRequired: false, isSecret: false, fallback })
    }
  return [...found.values()]
}

function partsOf(template: Json): (readonly [path: string, part: Json])[] {
  const below = SECTIONS.flatMap((section) =>
    Object.entries(objectOf(template[section])).map(
      ([name, part]) => [`${section}.${name}`, objectOf(part)] as const,
    ),
  )
  return [['agent', objectOf(template['agent'])], ...below]
}

function settingsOf(path: string, part: Json): Setting[] {
  return SETTINGS.flatMap(([below, label]) => {
    const value = valueBelow(part, below)
    const isShown = ['number', 'string', 'boolean'].includes(typeof value)
    return isShown ? [{ path: `${path}.${below}`, label, value: value as Setting['value'] }] : []
  })
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
