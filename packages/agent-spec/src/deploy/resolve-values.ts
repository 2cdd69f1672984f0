import { parseValue, soleCredential, type Reference } from '../environment/references.ts'
import { own, sortedEntries } from '../json.ts'
import type { ComponentKind } from '../names/object-name.ts'
import { findProvider, type SelfHostedProvider } from '../providers.ts'
import { COMPONENT_SECTIONS, type ComponentSection } from '../spec-types.ts'
import type { TemplateSettings } from '../template/settings.ts'
import type { DeploymentTemplate } from '../template/template-types.ts'
import type { ComponentEnvironment, ResolveOptions } from './component-types.ts'
import type { ResolvedSize } from './resolved-size.ts'

/** The kind of a section's components in names and labels. */
export const KIND_OF_SECTION: Readonly<Record<ComponentSection, ComponentKind>> = {
  models: 'model',
  knowledge: 'knowledge',
  tools: 'tool',
}

/** Everything that references in values can resolve to. */
export interface ResolveContext {
  readonly template: DeploymentTemplate
  readonly settings: TemplateSettings
  readonly options: ResolveOptions
  /** See `alternativeKeys`. */
  readonly keysFor: (key: string) => string[]
  /** The size of all variables so far. */
  readonly size: ResolvedSize
}

interface Resolved {
  readonly text: string
  readonly secret: boolean
}

/** Returns a component's row of the provider table; undefined for the spec's own containers. */
export function providerOf(
  { template, settings }: Pick<ResolveContext, 'template' | 'settings'>,
  section: ComponentSection,
  entry: string,
): SelfHostedProvider | undefined {
  const name = own(template[section], entry)?.provider
  const row = name === undefined ? undefined : findProvider(settings.providers, section, name)
  return row?.kind === 'self-hosted' ? row : undefined
}

/** Returns the stores that need a generated password, as `knowledge.<entry>`. */
export function storesWithPassword(
  template: DeploymentTemplate,
  settings: TemplateSettings,
): string[] {
  return COMPONENT_SECTIONS.flatMap((section) =>
    sortedEntries(template[section]).flatMap(([entry]) =>
      providerOf({ template, settings }, section, entry)?.password ? [`${section}.${entry}`] : [],
    ),
  )
}

/**
 * Resolves the references of an environment. A value that contains a credential or a password is a
 * secret. An optional credential without a value is omitted. Throws VariablesTooLargeError.
 */
export function resolveEnvironment(
  environment: Readonly<Record<string, string>>,
  context: ResolveContext,
): ComponentEnvironment {
  const plain: [string, string][] = []
  const secret: [string, string][] = []
  for (const [name, value] of sortedEntries(environment)) {
    const credential = soleCredential(value)
    if (credential !== undefined && credentialValue(context, credential) === undefined) continue
    const resolved = resolveValue(value, context)
    if (resolved.secret) secret.push([name, resolved.text])
    else plain.push([name, resolved.text])
  }
  return { plain: Object.fromEntries(plain), secret: Object.fromEntries(secret) }
}

function resolveValue(value: string, context: ResolveContext): Resolved {
  let text = ''
  let secret = false
  for (const part of parseValue(value)) {
    if (part.kind === 'reference') {
      const resolved = resolveReference(part.reference, context)
      context.size.add(resolved.text)
      text += resolved.text
      secret ||= resolved.secret
    } else text += part.text
  }
  return { text, secret }
}

function resolveReference(reference: Reference, context: ResolveContext): Resolved {
  switch (reference.kind) {
    case 'source':
      return { text: context.template.source[reference.field], secret: false }
    case 'credential':
      return { text: credentialValue(context, reference.key) ?? '', secret: true }
    case 'component':
      return resolveAddress(reference, context)
  }
}

function credentialValue(
  { template, options, keysFor }: ResolveContext,
  key: string,
): string | undefined {
  for (const name of keysFor(key)) {
    const value = own(options.credentials, name)
    if (value !== undefined && value !== '') return value
  }
  return own(template.credentials, key)?.default
}

function resolveAddress(
  reference: Extract<Reference, { kind: 'component' }>,
  context: ResolveContext,
): Resolved {
  const { section, entry, field } = reference
  const host = context.options.serviceHost({ kind: KIND_OF_SECTION[section], entry })
  const provider = providerOf(context, section, entry)
  const port = own(context.template[section], entry)?.port ?? context.settings.defaults.port
  const password = provider?.password
    ? (own(context.options.storePasswords, `${section}.${entry}`) ?? '')
    : undefined
  switch (field) {
    case 'host':
      return { text: host, secret: false }
    case 'port':
      return { text: String(port), secret: false }
    case 'password':
      return { text: password ?? '', secret: true }
    case 'url':
      if (!provider) return { text: `http://${host}:${port}`, secret: false }
      return { text: providerUrl(provider, host, password), secret: password !== undefined }
  }
}

function providerUrl(
  { url }: SelfHostedProvider,
  host: string,
  password: string | undefined,
): string {
  const user = url.user === undefined ? '' : encodeURIComponent(url.user)
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`
  const database = url.database === undefined ? '' : `/${encodeURIComponent(url.database)}`
  return `${url.scheme}://${login === '' ? '' : `${login}@`}${host}:${url.port}${database}`
}
