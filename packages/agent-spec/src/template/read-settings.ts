import { withProviderOverrides } from '../provider-overrides.ts'
import { defaultTemplateSettings, type TemplateSettings } from './settings.ts'

/** Reads environment variables and collects their problems. */
interface VariableReader {
  optional(name: string): string | undefined
  list(name: string, fallback: readonly string[]): readonly string[]
  json<Value>(name: string, parse: (value: unknown) => Value): Value | undefined
}

/**
 * Reads the operator's settings for all deployments. Catalog and deployer both use this function,
 * so that callers see the same template that a deploy fills.
 */
export function readTemplateSettings(reader: VariableReader): TemplateSettings {
  const base = defaultTemplateSettings()
  const image = reader.optional('MESSAGING_IMAGE')
  const storageClass = reader.optional('STORAGE_CLASS')
  const providers =
    reader.optional('PROVIDER_OVERRIDES') === undefined
      ? undefined
      : reader.json('PROVIDER_OVERRIDES', (value) => withProviderOverrides(base.providers, value))
  return Object.freeze({
    ...base,
    providers: providers ?? base.providers,
    ...(image !== undefined && {
      messaging: { image, adapters: reader.list('MESSAGING_ADAPTERS', ['web']) },
    }),
    ...(storageClass !== undefined && { storageClass }),
  })
}
