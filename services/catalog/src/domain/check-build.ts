import { invalidField, Violations } from '@slipway/shared/errors'

export interface BuildLimits {
  readonly specBytes: number
  readonly readmeBytes: number
}

/** The fields of a request to register a build. */
export interface BuildFields {
  readonly name: string
  readonly buildId: string
  readonly registry: string
  readonly specContent: string
  readonly readme?: string | undefined
}

const AGENT_NAME = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/
/** https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests */
const OCI_TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
const MAX_REGISTRY_LENGTH = 512
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const HOST = String.raw`(?:${LABEL}(?:\.${LABEL})*|\[[0-9A-Fa-f:.]{2,45}\])`
const PATH_PART = '[a-z0-9]+(?:(?:[.]|_{1,2}|-+)[a-z0-9]+)*'
const REGISTRY = new RegExp(
  String.raw`^(?:(?:https?|oci)://)?${HOST}(?::(?<port>[0-9]{1,5}))?(?:/${PATH_PART})*/?$`,
)

/** Whether a string has the form of an agent name. No agent has any other name. */
export function isAgentName(text: string): boolean {
  return AGENT_NAME.test(text)
}

/** Whether a string has the form of a build id. No build has any other id. */
export function isBuildId(text: string): boolean {
  return OCI_TAG.test(text)
}

/** Whether a string is an OCI location: `[https://|http://|oci://]host[:port][/path]`. */
export function isRegistry(text: string): boolean {
  if (text.length > MAX_REGISTRY_LENGTH) return false
  const match = REGISTRY.exec(text)
  const port = match?.groups?.['port']
  return match !== null && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535))
}

/** Throws InvalidInput with all problems of the fields, except those in the spec's content. */
export function checkBuildFields(build: BuildFields, limits: BuildLimits): void {
  new Violations()
    .require(isAgentName(build.name), 'name', AGENT_NAME_RULE)
    .require(isBuildId(build.buildId), 'build_id', BUILD_ID_RULE)
    .require(
      isRegistry(build.registry),
      'registry',
      'must be an OCI location: [https://|http://|oci://]host[:port][/path]',
    )
    .requireFilled({ spec_content: build.specContent })
    .require(!build.readme?.includes('\0'), 'readme', 'must not contain NUL characters')
    .throwIfAny()
  checkSize('spec_content', build.specContent, limits.specBytes)
  checkSize('readme', build.readme ?? '', limits.readmeBytes)
}

/** The rule for agent names, for messages. */
export const AGENT_NAME_RULE =
  'must be at most 63 lower-case letters, digits, dots, underscores and hyphens, ' +
  'with a letter or digit at both ends'

/** The rule for build ids, for messages. */
export const BUILD_ID_RULE =
  'must be an OCI tag: at most 128 letters, digits, dots, underscores and hyphens'

function checkSize(field: string, text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) <= maxBytes) return
  throw invalidField(field, `must not be larger than ${maxBytes} bytes`, { reason: 'too_large' })
}
