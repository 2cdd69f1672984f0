import type { ConfigReader } from '@slipway/shared/config'
import {
  defaultTemplateSettings,
  withProviderOverrides,
  type ProviderOverride,
  type TemplateSettings,
} from '@slipway/spec'

/**
 * Reads what the operator decided about every deployment. The deployer reads the same variables: the template that the
 * catalog shows is the one that a deploy fills.
 */
export function readTemplateSettings(reader: ConfigReader): TemplateSettings {
  const base = defaultTemplateSettings()
  const image = reader.optional('MESSAGING_IMAGE')
  const storageClass = reader.optional('STORAGE_CLASS')
  const overrides =
    reader.optional('PROVIDER_OVERRIDES') === undefined
      ? undefined
      : reader.json('PROVIDER_OVERRIDES', (value) =>
          withProviderOverrides(base.providers, value as Record<string, ProviderOverride>),
        )
  return Object.freeze({
    ...base,
    providers: overrides ?? base.providers,
    ...(image !== undefined && { messaging: { image, adapters: reader.list('MESSAGING_ADAPTERS', ['web']) } }),
    ...(storageClass !== undefined && { storageClass }),
  })
}
