import { DOCKER_HUB, registryName } from './registry.ts'

const MAX_LENGTH = 512
const MAX_PATH_LENGTH = 255

/** The grammar of https://github.com/distribution/reference, which nodes use. */
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const PATH = new RegExp(`^${PART}(?:/${PART})*$`)
const NAME_AND_TAG = /^(?<name>[^@]*?)(?::(?<tag>\w[\w.-]{0,127}))?$/
/** Nodes take this for the id of an image that they have. */
const ID = /^[a-f0-9]{64}$/
const DIGEST = /^sha(?:256:[a-f0-9]{64}|512:[a-f0-9]{128})$/

/** The parts of an image reference. */
export interface ImageReference {
  /** `host` or `host:port` in lower case, without the default port; `docker.io` for Docker Hub. */
  readonly registry: string
  /** The path in the registry, e.g. `library/redis`. */
  readonly repository: string
  readonly tag: string | undefined
  /** `sha256:…` or `sha512:…`. */
  readonly digest: string | undefined
}

/** Parses an image reference as nodes do; undefined if it is not valid. */
export function parseImage(image: string): ImageReference | undefined {
  if (image.length > MAX_LENGTH || ID.test(image)) return undefined
  const at = image.indexOf('@')
  const digest = at < 0 ? undefined : image.slice(at + 1)
  if (digest !== undefined && !isImageDigest(digest)) return undefined
  const { name = '', tag } = NAME_AND_TAG.exec(at < 0 ? image : image.slice(0, at))?.groups ?? {}
  const host = imageHost(name)
  const path = host === undefined ? name : name.slice(host.length + 1)
  const registry = registryName(host ?? DOCKER_HUB)
  if (registry === undefined || !PATH.test(path)) return undefined
  const isOfficial = registry === DOCKER_HUB && !path.includes('/')
  const repository = isOfficial ? `library/${path}` : path
  if (repository.length > MAX_PATH_LENGTH) return undefined
  return { registry, repository, tag, digest }
}

/**
 * Returns the host or `host:port` with which an image reference begins, as nodes read it: a first
 * part that looks like a host. Undefined means the nodes' default, Docker Hub.
 */
export function imageHost(image: string): string | undefined {
  const first = image.slice(0, Math.max(image.indexOf('/'), 0))
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase()
  return isHost ? first : undefined
}

/** Whether a text is a digest of an image, e.g. `sha256:` and 64 hexadecimal digits. */
export function isImageDigest(text: string): boolean {
  return DIGEST.test(text)
}

/** Returns a reference that names the image by its digest too; nodes then ignore the tag. */
export function pinnedImage(image: string, digest: string): string {
  return `${unpinnedImage(image)}@${digest}`
}

/** Returns a reference without its digest. */
export function unpinnedImage(image: string): string {
  const at = image.indexOf('@')
  return at < 0 ? image : image.slice(0, at)
}

/**
 * Returns the problem with an image reference; undefined if it is well-formed. Doesn't check
 * whether the image exists.
 */
export function imageProblem(image: string): string | undefined {
  if (image === '') return 'an image is required'
  if (parseImage(image) !== undefined) return undefined
  const [, host = '', port] = /^(.*):(\d+)$/.exec(imageHost(image) ?? '') ?? []
  return port !== undefined && registryName(host) && !registryName(`${host}:${port}`)
    ? `not a valid image reference: the port ${port} must be 1 to 65535, without leading zeros`
    : 'not a valid image reference'
}
