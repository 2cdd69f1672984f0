import { readFileSync } from 'node:fs'

import {
  imageProblem,
  isLocalRegistry,
  parseImage,
  unpinnedImage,
  type ImageReference,
  type TemplateSettings,
} from '@slipway/agent-spec'
import type { Logger } from '@slipway/shared/logger'
import { followFile, type FileValue } from '@slipway/shared/reloaded-file'
import { UsedFiles } from '@slipway/shared/used-files'

import { IMAGE_POLICY_SETTING, type ImageSettings } from '../config/images.ts'
import { allowsImage, ruleFor, type ImagePolicy } from '../domain/image-policy.ts'
import { isInternalRegistry } from '../domain/image-registry.ts'
import { authsFor, parseDockerConfig, type RegistryAuths } from './docker-config.ts'

/** The credentials for an image. */
export interface ImageCredentials {
  /** The file that they are from, to distinguish entries with the same key. */
  readonly source: string
  /** Only the entries that apply to the image. */
  readonly auths: RegistryAuths
}

/** Decides which images an account may use, and with which credentials they are pulled. */
export class ImageAccess implements Disposable {
  readonly #settings: ImageSettings
  /** The images that the operator chose, for providers and interfaces. */
  readonly #ofOperator: ReadonlySet<string>
  readonly #file: FileValue<ImagePolicy> | undefined
  readonly #pullSecrets: UsedFiles<RegistryAuths>

  constructor(settings: ImageSettings, template: TemplateSettings, logger: Logger) {
    this.#settings = settings
    this.#ofOperator = new Set([
      ...template.providers.flatMap((provider) =>
        provider.kind === 'self-hosted' ? [provider.image] : [],
      ),
      ...(template.messaging ? [template.messaging.image] : []),
    ])
    this.#pullSecrets = new UsedFiles({
      setting: 'pull_secret_file',
      read: (path) => parseDockerConfig(readFileSync(path, 'utf8')),
      logger,
    })
    const { policyFile, pullSecretFile } = settings
    // To report it at the start.
    if (pullSecretFile !== undefined) this.#pullSecrets.read(pullSecretFile)
    this.#file = policyFile && followFile({ ...policyFile, logger })
  }

  /** Returns why the agents of an account can't use an image; undefined if they can. */
  problemOf(accountId: string, image: string): string | undefined {
    const unpinned = unpinnedImage(image)
    // An image that isn't given is another problem.
    if (image === '' || this.isOfOperator(image)) return undefined
    const invalid = imageProblem(unpinned)
    if (invalid !== undefined) return invalid
    const { registry = '' } = parseImage(unpinned) ?? {}
    if (isInternalRegistry(registry) && !this.allowsInternal(registry))
      return (
        `the registry ${registry} has an IP address or an internal name; ` +
        'use one with a public name, or ask the operator to add it to INTERNAL_REGISTRIES'
      )
    if (!this.#file || allowsImage(this.#file.current, accountId, image)) return undefined
    return (
      `the account that owns the agent may not use ${unpinned} of the registry ` +
      `${registry}; use a registry that it may use, or ask the operator to add ` +
      `the account to ${IMAGE_POLICY_SETTING}`
    )
  }

  /**
   * Returns the credentials with which an image is pulled, if any. Doesn't check who may use the
   * image: callers have done so with `problemOf`, or it belongs to the live revision, which keeps
   * running when its account loses the right.
   */
  credentialsOf(image: string): ImageCredentials | undefined {
    const reference = parseImage(image)
    const source = reference && this.#sourceFor(reference, image)
    if (!reference || source === undefined) return undefined
    const auths = authsFor(this.#pullSecrets.read(source) ?? {}, reference)
    return auths && { source, auths }
  }

  /** Whether the operator chose an image, for a provider or interface. */
  isOfOperator(image: string): boolean {
    return this.#ofOperator.has(unpinnedImage(image))
  }

  /** Whether images may come from a registry, by its registryName, in internal networks. */
  allowsInternal(registry: string): boolean {
    const { internalRegistries } = this.#settings
    return internalRegistries.has('*') || internalRegistries.has(registry)
  }

  /** Whether the registry of an image has no TLS: the operator says so, or it is this machine's. */
  usesPlainHttp(image: ImageReference): boolean {
    return (
      isLocalRegistry(image.registry) ||
      (this.#file !== undefined && ruleFor(this.#file.current, image)?.plainHttp === true)
    )
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]()
    this.#pullSecrets[Symbol.dispose]()
  }

  #sourceFor(reference: ImageReference, image: string): string | undefined {
    return this.#file === undefined || this.isOfOperator(image)
      ? this.#settings.pullSecretFile
      : ruleFor(this.#file.current, reference)?.pullSecretFile
  }
}
