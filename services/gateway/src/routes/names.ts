import { NamedText } from '../http/schemas/kinds.ts'

export const AccountName = NamedText(
  'AccountName',
  'Name of an account: 2 to 39 lower-case letters, digits and single hyphens; a letter comes first',
  { minLength: 2, maxLength: 39, pattern: '^[a-z](-?[a-z0-9])+$', examples: ['alice'] },
)

export const AgentName = NamedText(
  'AgentName',
  'Name of an agent: lower-case letters, digits, dots, hyphens and underscores',
  { maxLength: 63, pattern: '^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$', examples: ['support-agent'] },
)

export const BuildId = NamedText('BuildId', 'Id of a registered build: an OCI tag', {
  maxLength: 128,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$',
  examples: ['b1a4dac0d2f4'],
})

export const VersionName = NamedText('VersionName', 'A SemVer 2.0 version without a leading v', {
  maxLength: 128,
  pattern:
    '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)' +
    '(-(0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*))*)?' +
    '(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$',
  examples: ['1.0.0'],
})

export const Registry = NamedText(
  'Registry',
  'Location of a build in an OCI registry: `[https://]host[:port][/path]`',
  { examples: ['127.0.0.1:5000/support-agent'] },
)

export const UserId = NamedText('UserId', 'Id of a user: opaque and permanent', {
  format: 'uuid',
  examples: ['5f0c7a5e-3c1b-4f3e-9d0a-2f8f4f9b6c11'],
})

export const Namespace = NamedText('Namespace', 'Namespace of a deployment in the cluster', {
  maxLength: 63,
  pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  examples: ['agent-support-agent-1718d1d36a'],
})

export const Cursor = NamedText('Cursor', 'Cursor of the next page; absent on the last page', {
  examples: ['c3VwcG9ydC1hZ2VudC9hbGljZQ'],
})
