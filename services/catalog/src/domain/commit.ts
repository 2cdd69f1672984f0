import { Violations } from '@slipway/shared/errors'

/** The commit that a build was made from, as its client reports it. */
export interface Commit {
  readonly id: string
  readonly branch: string
  readonly message: string
  readonly hasChanges: boolean
  readonly ciRunUrl: string
}

/** https://git-scm.com/docs/hash-function-transition */
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const MAX_BRANCH_LENGTH = 255
const MAX_MESSAGE_LENGTH = 500
const MAX_URL_LENGTH = 2048

/** Checks a commit and returns its fields. Throws InvalidInput with all problems. */
export function checkCommit({ id, branch, message, hasChanges, ciRunUrl }: Commit): Commit {
  new Violations()
    .require(OBJECT_NAME.test(id), 'commit.id', 'must be 40 or 64 lower-case hexadecimal digits')
    .require(isLine(branch, MAX_BRANCH_LENGTH), 'commit.branch', lineRule(MAX_BRANCH_LENGTH))
    .require(isLine(message, MAX_MESSAGE_LENGTH), 'commit.message', lineRule(MAX_MESSAGE_LENGTH))
    .require(
      ciRunUrl === '' || isWebAddress(ciRunUrl),
      'commit.ci_run_url',
      `must be a URL with http or https, without a user, of at most ${MAX_URL_LENGTH} characters`,
    )
    .throwIfAny()
  return { id, branch, message, hasChanges, ciRunUrl }
}

/** Consoles show it as a link, so a scheme that runs code is refused. */
function isWebAddress(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\/[^\s\\]+$/.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}

function isLine(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !/\p{Cc}/u.test(text)
}

function lineRule(maxLength: number): string {
  return `must be one line of at most ${maxLength} characters, without control characters`
}
