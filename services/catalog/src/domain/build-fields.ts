import { invalidField, Violations } from '@slipway/shared/errors'

/** Bounds of what a build brings along. */
export interface BuildLimits {
  readonly specBytes: number
  readonly readmeBytes: number
}

/** What a caller sends to register a build. */
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
const HOST = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9A-Fa-f:.]{2,45}\])`
const PATH_PART = '[a-z0-9]+(?:(?:[.]|_{1,2}|-+)[a-z0-9]+)*'
const REGISTRY = new RegExp(
  String.raw`^(?:(?:https?|oci)://)?${HOST}(?::(?<port>[0-9]{1,5}))?(?:/${PATH_PART})*/?$`,
)

/** Whether a text has the shape of an agent name. */
export function isAgentName(text: string): boolean {
  return AGENT_NAME.test(text)
}

/** Whether a text has the shape of a build id. */
export function isBuildId(text: string): boolean {
  return OCI_TAG.test(text)
}

/** Whether a text is an OCI location: `[https://|http://|oci://]host[:port][/path]`. */
export function isRegistry(text: string): boolean {
  if (text.length > MAX_REGISTRY_LENGTH) return false
  const match = REGISTRY.exec(text)
  const port = match?.groups?.['port']
  return match !== null && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535))
}

/**
 * Throws InvalidInput with everything that is wrong with the fields of a build, its spec's content
 * aside.
 */
export function checkBuildFields(build: BuildFields, limits: BuildLimits): void {
  new Violations()
    .require(isAgentName(build.name), 'name', agentNameRule)
    .require(isBuildId(build.buildId), 'build_id', buildIdRule)
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

/** What an agent name must look like, for messages. */
export const agentNameRule =
  'must be at most 63 lower-case letters, digits, dots, underscores and hyphens, with a letter or digit at both ends'

/** What a build id must look like, for messages. */
export const buildIdRule =
  'must be an OCI tag: at most 128 letters, digits, dots, underscores and hyphens'

function checkSize(field: string, text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) <= maxBytes) return
  throw invalidField(field, `must not be larger than ${maxBytes} bytes`, { reason: 'too_large' })
}
