/** Longest version. */
const MAX_LENGTH = 128

const NUMBER = '(?:0|[1-9][0-9]*)'
const IDENTIFIER = `(?:${NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
/** https://semver.org/spec/v2.0.0.html, without a leading `v`. */
const SEMVER = new RegExp(
  String.raw`^(${NUMBER})\.(${NUMBER})\.(${NUMBER})(?:-(${IDENTIFIER}(?:\.${IDENTIFIER})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`,
)

/** A version as it is compared and stored. */
export interface Version {
  /** As it was written. */
  readonly text: string
  /** Whether it is no pre-release. */
  readonly isStable: boolean
  /**
   * Bytes whose order is SemVer precedence, and which are equal for versions that differ in build
   * metadata only: so a database can sort by them and hold them unique.
   */
  readonly key: Buffer
}

/** What a version must look like, for messages. */
export const versionRule = `must be a SemVer 2.0 version without a leading v, at most ${MAX_LENGTH} characters`

/** Reads a SemVer 2.0 version; undefined when it isn't one. Numbers may be of any size. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = SEMVER.exec(text)
  if (match === null) return undefined
  const [, major = '', minor = '', patch = '', preRelease] = match
  const core = Buffer.concat([numberKey(major), numberKey(minor), numberKey(patch)])
  return {
    text,
    isStable: preRelease === undefined,
    key: Buffer.concat([core, preRelease === undefined ? STABLE : preReleaseKey(preRelease)]),
  }
}

// Bytes that begin what follows the three numbers, chosen by their order. A list of identifiers
// ends in END, so that `alpha` sorts before `alpha.1`; a stable version sorts after all its
// pre-releases.
const END = Buffer.of(0)
const NUMERIC = Buffer.of(1)
const ALPHANUMERIC = Buffer.of(2)
const STABLE = Buffer.of(255)

/** Numbers without leading zeros compare by their length first. */
function numberKey(digits: string): Buffer {
  return Buffer.concat([Buffer.of(digits.length), Buffer.from(digits, 'ascii')])
}

function preReleaseKey(preRelease: string): Buffer {
  const identifiers = preRelease
    .split('.')
    .map((identifier) =>
      /^[0-9]+$/.test(identifier)
        ? Buffer.concat([NUMERIC, numberKey(identifier)])
        : Buffer.concat([ALPHANUMERIC, Buffer.from(identifier, 'ascii'), END]),
    )
  return Buffer.concat([...identifiers, END])
}
