import {
  parseImage,
  pinnedImage,
  templateImages,
  unpinnedImage,
  withImages,
  type DeploymentTemplate,
} from '@slipway/agent-spec'
import { createCounter } from '@slipway/shared/telemetry'

import type { DeployerContext } from '../context.ts'
import type { DigestAnswer } from '../images/registry-client.ts'
import { IMAGE_PROBLEMS, imageRemedy } from './image-remedy.ts'
import type { PreparedDeploy } from './prepare-deploy.ts'
import { ValidationFailed } from './validation-failed.ts'

const countInternal = createCounter(
  'slipway.registry.internal_images',
  'Images of deploys that went on although their registry has an internal address',
)

/** A deploy whose images are bound to their digests as far as these are known. */
export interface PinnedDeploy {
  readonly prepared: PreparedDeploy
  /** `path: reason` of each image whose digest the registry didn't return. */
  readonly warnings: readonly string[]
}

/**
 * Binds the images of a deploy that have no digest yet: to those that the registries return now,
 * else to those of the live revision. Throws ValidationFailed for an image that its registry does
 * not have, unless the operator allows such images, or whose registry has an internal address.
 */
export async function pinImages(
  context: DeployerContext,
  prepared: PreparedDeploy,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<PinnedDeploy> {
  const { filled, liveRevision, target } = prepared
  const images = templateImages(filled.template)
  const names = [...new Set(images.map(({ image }) => image))]
  const [open, pinned] = [true, false].map((isOpen) =>
    names.filter((image) => (image === unpinnedImage(image)) === isOpen),
  ) as [string[], string[]]
  const owner = { user: userId, account: target.accountId }
  const answers = await Promise.all([
    context.imageDigests.ask(open, owner, signal),
    context.imageDigests.checkAddresses(pinned, owner, signal),
  ])
  const asked = new Map(answers.flatMap((each) => [...each]))
  const liveTemplate = liveRevision?.template as DeploymentTemplate | undefined
  const live = liveTemplate && liveImages(liveTemplate)
  const missing = images.filter(({ image }) => {
    const answer = asked.get(image)
    return answer !== undefined && 'problem' in answer && answer.problem === 'not_found'
  })
  const unknown = missing.filter(({ image }) => live?.has(image) !== true)
  const problems = [
    ...(context.config.workloads.images.allowsMissing ? [] : unknown).map(
      ({ path, image }) =>
        `${path}: ${IMAGE_PROBLEMS.not_found}: ${imageRemedy(context, image, 'not_found')}`,
    ),
    ...newInternal(images, asked, liveTemplate).map(
      ({ path, image }) =>
        `${path}: ${IMAGE_PROBLEMS.internal}: ${imageRemedy(context, image, 'internal')}`,
    ),
  ]
  if (problems.length > 0) throw new ValidationFailed(problems.sort())
  const pin = (image: string): string => {
    if (image !== unpinnedImage(image)) return image
    const digest = digestOf(asked.get(image))
    return digest === undefined ? (live?.get(image) ?? image) : pinnedImage(image, digest)
  }
  const warnings = images.flatMap(({ path, image }) => {
    const answer = asked.get(image)
    if (answer === undefined || 'digest' in answer) return []
    if (answer.problem === 'internal') {
      countInternal(1, {})
      return `${path}: ${IMAGE_PROBLEMS.internal}; ${imageRemedy(context, image, 'internal')}`
    }
    const outcome = live?.has(image)
      ? 'the deployment keeps the image that it runs'
      : answer.problem === 'not_found'
        ? 'pods can start only if nodes get it from a mirror'
        : 'nodes pull it whenever a pod starts, so it can change'
    return `${path}: ${IMAGE_PROBLEMS[answer.problem]}; ${outcome}`
  })
  const template = keepTags(withImages(filled.template, pin), liveTemplate)
  return { prepared: { ...prepared, filled: { ...filled, template } }, warnings }
}

/**
 * The images whose registries have internal addresses. What a deployment already had is not among
 * them: older releases allowed it, so it goes on, with a warning.
 */
function newInternal(
  images: ReturnType<typeof templateImages>,
  asked: ReadonlyMap<string, DigestAnswer>,
  live: DeploymentTemplate | undefined,
): ReturnType<typeof templateImages> {
  const registryOf = (image: string) => parseImage(image)?.registry
  const known = new Set(live && templateImages(live).map(({ image }) => registryOf(image)))
  return images.filter(({ image }) => {
    const answer = asked.get(image)
    const isInternal = answer && 'problem' in answer && answer.problem === 'internal'
    return isInternal && !known.has(registryOf(image))
  })
}

/**
 * Keeps the tag of a component's image if a new tag names the same image: nodes ignore the tag, but
 * another text would restart the pods. The agent's pods are replaced by each build anyway.
 */
function keepTags(
  template: DeploymentTemplate,
  live: DeploymentTemplate | undefined,
): DeploymentTemplate {
  if (live === undefined) return template
  const running = new Map(templateImages(live).map(({ path, image }) => [path, image]))
  return withImages(template, (image, path) => {
    const before = running.get(path)
    const isSame = before !== undefined && path !== 'agent.image' && isSameImage(before, image)
    return isSame ? before : image
  })
}

function isSameImage(before: string, after: string): boolean {
  const [a, b] = [parseImage(before), parseImage(after)]
  return (
    a?.digest !== undefined &&
    a.digest === b?.digest &&
    a.registry === b.registry &&
    a.repository === b.repository
  )
}

/** The images of a template that have a digest, by their reference without it. */
function liveImages(template: DeploymentTemplate): ReadonlyMap<string, string> {
  return new Map(
    templateImages(template).flatMap(({ image }) =>
      image === unpinnedImage(image) ? [] : [[unpinnedImage(image), image]],
    ),
  )
}

function digestOf(answer: DigestAnswer | undefined): string | undefined {
  return answer !== undefined && 'digest' in answer ? answer.digest : undefined
}
