import type { Words } from './words.ts'

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['InvalidImageName', 'the image reference is not valid'],
  ['ErrImageNeverPull', 'the node does not have the image and may not pull it'],
  ['ImageInspectError', 'the node cannot read the image'],
  ['SignatureValidationFailed', 'the signature of the image is not valid'],
])
/** Reasons that a kubelet reports when a pull fails, with the registry's or the network's error. */
const PULL_REASONS: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'RegistryUnavailable',
])
const NEEDS_ACCESS = 'the registry has no such image, or pulling it needs other credentials'
const NO_IMAGE_OR_REGISTRY =
  'the image was not found: its registry has no such image for this platform, or there is no ' +
  'such registry'
const NO_ACCESS =
  /authorization failed|authentication required|unauthorized|denied|forbidden|insufficient_scope/i
const NOT_FOUND = /manifest[ _]unknown|name[ _]unknown|no match for platform/i
/** A node that asks a mirror of all registries says so of a registry that doesn't exist, too. */
const MAYBE_NO_REGISTRY = /not found\b/i

/**
 * Explains why a container's image is not available, for `reason` of its waiting state; undefined
 * for other reasons. Only the words that the kubelet's message was recognized by are shown: the
 * rest describes what nodes can reach, and how hosts in their network respond.
 */
export function pullProblem(reason: string, message: string, image: string): Words | undefined {
  const known = PROBLEMS.get(reason)
  if (known !== undefined) return { message: known, original: '' }
  if (!PULL_REASONS.has(reason)) return undefined
  // The reference itself may contain these words.
  const text = image === '' ? message : message.replaceAll(image, '')
  const refusal = NO_ACCESS.exec(text)
  if (refusal !== null) return { message: NEEDS_ACCESS, original: refusal[0] }
  const absence = NOT_FOUND.exec(text)
  if (absence !== null)
    return { message: 'the registry has no such image for this platform', original: absence[0] }
  const doubt = MAYBE_NO_REGISTRY.exec(text)
  if (doubt !== null) return { message: NO_IMAGE_OR_REGISTRY, original: doubt[0] }
  return {
    message:
      'the image could not be pulled; check its reference, and that its registry is reachable',
    original: '',
  }
}
