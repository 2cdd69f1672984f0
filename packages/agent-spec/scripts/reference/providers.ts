import {
  buildTemplate,
  defaultProviders,
  defaultTemplateSettings,
  parseSpec,
  resolvedComponents,
  type Provider,
  type SelfHostedProvider,
} from '../../src/index.ts'
import { interfaceAdapters } from '../../src/interfaces.ts'
import { code, codes, table } from './markdown.ts'

const source = { account: 'ACCOUNT', name: 'AGENT', build: 'BUILD', registry: 'REGISTRY' }

/** Returns a table of the providers that the platform runs. */
export function selfHostedTable(): string {
  return table(
    ['provider', 'section', 'image', 'ports', 'ready when', 'data', 'user'],
    selfHosted().map(({ name, section, image, ports, probe, dataPath, uid, gid }) => [
      code(name),
      code(section),
      code(image),
      ports.map((row) => `${row.port} (${row.name})`).join(', '),
      'path' in probe ? `${code(`GET ${probe.path}`)} answers` : code(probe.command.join(' ')),
      code(dataPath),
      `${uid}:${gid}`,
    ]),
  )
}

/** Returns a table of the arguments and variables of the containers of providers. */
export function containerTable(): string {
  return table(
    ['provider', 'arguments', 'with `persistent`', 'variables'],
    selfHosted().map(({ name, args, persistentArgs, environment, password }) => [
      code(name),
      args.length === 0 ? '–' : code(args.join(' ')),
      persistentArgs.length === 0 ? '–' : code(persistentArgs.join(' ')),
      codes([
        ...Object.entries(environment).map(([key, value]) => `${key}=${value}`),
        ...Object.keys(password?.environment ?? {}).map((key) => `${key}=PASSWORD`),
      ]),
    ]),
  )
}

/** Returns a table of the variables that the agent gets for each self-hosted provider. */
export function addressTable(): string {
  return table(
    ['provider', 'variables of the agent'],
    selfHosted().map((provider) => [code(provider.name), codes(addressesOf(provider))]),
  )
}

/** Returns a table of the providers outside the platform, with the credentials that they need. */
export function cloudTable(): string {
  return table(
    ['provider', 'section', 'credentials'],
    defaultProviders.flatMap((provider) =>
      provider.kind === 'cloud'
        ? [[code(provider.name), code(provider.section), codes(credentialsOf(provider))]]
        : [],
    ),
  )
}

/** Returns a table of the adapters that a deploy can name in `interfaces`. */
export function adapterTable(): string {
  return table(
    ['interface', 'credentials'],
    Object.entries(interfaceAdapters).map(([name, { credentials }]) => [
      code(name),
      codes(credentials.map(({ key }) => key)),
    ]),
  )
}

function selfHosted(): SelfHostedProvider[] {
  return defaultProviders.filter((provider) => provider.kind === 'self-hosted')
}

function credentialsOf(provider: Provider): string[] {
  return Object.keys(templateWith(provider).credentials)
}

function addressesOf(provider: SelfHostedProvider): string[] {
  const [agent] = resolvedComponents(templateWith(provider), defaultTemplateSettings(), {
    credentials: {},
    storePasswords: { [`${provider.section}.NAME`]: 'PASSWORD' },
    serviceHost: ({ kind }) => (kind === 'agent' ? 'AGENT' : 'HOST'),
  })
  const { plain = {}, secret = {} } = agent?.environment ?? {}
  return Object.entries({ ...plain, ...secret })
    .filter(([name]) => name.startsWith(`${provider.prefix}_`))
    .map(([name, value]) => `${name}=${value}`)
}

function templateWith({ section, name }: Provider) {
  const entry = { provider: name, ...(section === 'models' && { model: 'MODEL' }) }
  const text = JSON.stringify({
    spec: 'astro/v1',
    name: 'agent',
    agent: { image: 'IMAGE' },
    [section]: { NAME: entry },
  })
  return buildTemplate({ spec: parseSpec(text).spec, source, settings: defaultTemplateSettings() })
}
