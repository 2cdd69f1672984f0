import { parseRegistryRealms, registryName, type RegistryRealms } from '@slipway/agent-spec'
import type { ConfigReader } from '@slipway/shared/config'
import { readOperatorFile, type OperatorFile } from '@slipway/shared/operator-file'

import type { ImagePolicy } from '../domain/image-policy.ts'
import { closedPolicy, parseImagePolicy } from './image-policy.ts'

/** The setting that names the operator's policy for images. */
export const IMAGE_POLICY_SETTING = 'IMAGE_POLICY_FILE'

/** The operator's settings for images. */
export interface ImageSettings {
  /** Registries in internal networks that images may come from; `*` allows all. */
  readonly internalRegistries: ReadonlySet<string>
  /**
   * Other token endpoints that get the logins of registries; undefined if the operator hasn't
   * decided: then all that a registry names get its login.
   */
  readonly registryRealms: RegistryRealms | undefined
  /**
   * A `.dockerconfigjson` for the images of the operator and, if there is no policy, for those of
   * all accounts.
   */
  readonly pullSecretFile: string | undefined
  /** Whether an image that its registry doesn't have can be deployed: nodes may use a mirror. */
  readonly allowsMissing: boolean
  /** The policy as read at start, and its file; undefined allows all images. */
  readonly policyFile: OperatorFile<ImagePolicy> | undefined
}

/** Reads the operator's settings for images. */
export function readImages(reader: ConfigReader): ImageSettings {
  return Object.freeze({
    internalRegistries: readInternalRegistries(reader),
    registryRealms: readRegistryRealms(reader),
    pullSecretFile: reader.optional('PULL_SECRET_FILE'),
    allowsMissing: reader.oneOf('MISSING_IMAGES', ['refused', 'allowed'], 'refused') === 'allowed',
    policyFile: readOperatorFile(reader, IMAGE_POLICY_SETTING, parseImagePolicy, closedPolicy),
  })
}

function readInternalRegistries(reader: ConfigReader): ReadonlySet<string> {
  const name = 'INTERNAL_REGISTRIES'
  const registries = reader.list(name, [])
  const wrong = registries.find((registry) => /[/@\s]/.test(registry))
  if (wrong !== undefined)
    reader.report(`${name}: ${wrong} must be a host or host:port, without a scheme and path`)
  return new Set(registries.map((registry) => registryName(registry) ?? registry))
}

function readRegistryRealms(reader: ConfigReader): RegistryRealms | undefined {
  const name = 'REGISTRY_REALMS'
  if (reader.optional(name) === undefined) return undefined
  try {
    return parseRegistryRealms(reader.list(name).filter((entry) => entry !== 'none'))
  } catch (error) {
    reader.report(`${name}: ${error instanceof Error ? error.message : 'is not valid'}`)
    return undefined
  }
}
