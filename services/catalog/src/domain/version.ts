const MAX_LENGTH = 128

const NUMBER = '(?:0|[1-9][0-9]*)'
const IDENTIFIER = `(?:${NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
/** https://semver.org/spec/v2.0.0.html, without a leading `v`. */
const SEMVER = new RegExp(
  String.raw`^(${NUMBER})\.(${NUMBER})\.(${NUMBER})` +
    String.raw`(?:-(${IDENTIFIER}(?:\.${IDENTIFIER})*))?` +
    String.raw`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`,
)

export interface Version {
  /** The original text. */
  readonly text: string
  readonly isStable: boolean
  /**
   * Bytes whose order is SemVer precedence. They are equal for versions that differ only in build
   * metadata, so a database can sort by them and keep them unique.
   */
  readonly key: Buffer
}

/** The rule for versions, for messages. */
export const VERSION_RULE =
  'must be a SemVer 2.0 version without a leading v, ' + `at most ${MAX_LENGTH} characters`

/** Parses a SemVer 2.0 version; undefined if it isn't one. Numbers can have any size. */
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

// The bytes that can follow the three numbers, chosen for their order. A list of identifiers ends
// with END, so that `alpha` sorts before `alpha.1`. A stable version sorts after its pre-releases.
const END = Buffer.of(0)
const NUMERIC = Buffer.of(1)
const ALPHANUMERIC = Buffer.of(2)
const STABLE = Buffer.of(255)

/** Numbers without leading zeros are compared by their length first. */
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
