import {
  isImageDigest,
  templateImages,
  unpinnedImage,
  type DeploymentTemplate,
} from '@slipway/agent-spec'
import { Violations } from '@slipway/shared/errors'

const MAX_ECHO = 200

/**
 * Checks the digests of a build's images and returns them sorted. Throws InvalidInput for an image
 * that the build doesn't have or names with a digest, and for a wrong digest.
 */
export function checkImageDigests(
  digests: Readonly<Record<string, string>>,
  template: DeploymentTemplate,
): Record<string, string> {
  const images = new Set(
    templateImages(template).flatMap(({ image, isOwn }) =>
      isOwn && image === unpinnedImage(image) ? [image] : [],
    ),
  )
  const entries = Object.entries(digests).sort(([a], [b]) => (a < b ? -1 : 1))
  const unknown = entries.find(([image]) => !images.has(image))?.[0].slice(0, MAX_ECHO)
  const wrong = entries.find(([, digest]) => !isImageDigest(digest))?.[0].slice(0, MAX_ECHO)
  const rule = 'must be sha256: and 64 hexadecimal digits, or sha512: and 128'
  new Violations()
    .require(
      unknown === undefined,
      'image_digests',
      `${unknown} must be an image that the build has without a digest`,
    )
    .require(wrong === undefined, 'image_digests', `the digest of ${wrong} ${rule}`)
    .throwIfAny()
  return Object.fromEntries(entries)
}
