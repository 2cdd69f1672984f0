import type { Language } from './base-options.ts'

/** The version of a language that a project wants, and what says so. */
export interface WantedVersion {
  /** A version or a range, as the language has them. */
  readonly text: string
  /** As `.nvmrc` or `requires-python`. */
  readonly from: string
}

/** The images that programs run in unless a base is named, without the version. */
const REPOSITORIES: Readonly<Record<Language, string>> = {
  node: 'docker.io/library/node',
  python: 'docker.io/library/python',
}
/** The versions that images may have; the first one that fits is chosen. */
const VERSIONS: Readonly<Record<Language, readonly string[]>> = {
  node: ['24', '26', '22'],
  python: ['3.13', '3.14', '3.12', '3.11', '3.10'],
}
const LTS: Readonly<Record<string, string>> = { 'lts/jod': '22', 'lts/krypton': '24' }
/** What version files have in place of a version. */
const ANY_NODE = /^(lts\/\*|lts|node|stable|latest|current)$/
/** Later than all releases of a version. */
const LATEST = 9999

/** The public image that a project runs in, and why not the version that it wants. */
export interface PublicImage {
  readonly name: string
  readonly problem?: string
}

/**
 * Chooses the public slim image of the version that a project wants. What understands ranges is
 * loaded for ranges.
 */
export async function publicImage(
  language: Language,
  wanted?: WantedVersion,
): Promise<PublicImage> {
  const [first = ''] = VERSIONS[language]
  const nameOf = (version: string): string => `${REPOSITORIES[language]}:${version}-slim`
  if (wanted === undefined) return { name: nameOf(first) }
  const version = await { node: nodeVersion, python: pythonVersion }[language](wanted.text)
  if (version !== undefined) return { name: nameOf(version) }
  const problem =
    `${wanted.from} has ${JSON.stringify(wanted.text)}, but images have one of the versions ` +
    `${VERSIONS[language].join(', ')}; this one has ${first}. Name an image with --base for another`
  return { name: nameOf(first), problem }
}

/** Whether a version of Node.js is one that a project wants. */
export async function fitsNode(version: string, text: string): Promise<boolean> {
  const plain = text.trim().toLowerCase()
  if (ANY_NODE.test(plain)) return true
  const exact = exactNode(plain)
  if (exact !== undefined) return `${version}.`.startsWith(`${exact}.`)
  const { default: semver } = await import('semver')
  return semver.validRange(plain) === null || semver.satisfies(version, plain)
}

/** A version as tags of images have it: as exact as the text. */
async function nodeVersion(text: string): Promise<string | undefined> {
  const plain = text.trim().toLowerCase()
  if (ANY_NODE.test(plain)) return VERSIONS.node[0]
  const exact = exactNode(plain)
  if (exact !== undefined) return isSupported('node', exact) ? exact : undefined
  const { default: semver } = await import('semver')
  const fitting = VERSIONS.node.find((each) =>
    semver.satisfies(`${each}.${LATEST}.${LATEST}`, plain),
  )
  if (fitting !== undefined || semver.validRange(plain) === null) return fitting
  const oldest = semver.minVersion(plain)
  const line = oldest === null ? '' : `${oldest.major}.${oldest.minor}`
  return isSupported('node', line) ? line : undefined
}

function exactNode(plain: string): string | undefined {
  return LTS[plain] ?? /^v?(\d+(?:\.\d+){0,2})$/.exec(plain)?.[1]
}

async function pythonVersion(text: string): Promise<string | undefined> {
  const plain = text.trim()
  const exact = /^(?:cpython-)?(\d+\.\d+(?:\.\d+)?)$/.exec(plain)?.[1]
  if (exact !== undefined) return isSupported('python', exact) ? exact : undefined
  // Poetry also has the ranges of npm, such as `^3.11`.
  const isOfNpm = /[\^~](?!=)/.test(plain)
  const range = isOfNpm ? plain.replaceAll(',', ' ') : plain
  const { satisfies } = isOfNpm
    ? (await import('semver')).default
    : await import('@renovatebot/pep440')
  return VERSIONS.python.find((each) => satisfies(`${each}.${LATEST}`, range))
}

function isSupported(language: Language, version: string): boolean {
  return VERSIONS[language].some((each) => `${version}.`.startsWith(`${each}.`))
}
