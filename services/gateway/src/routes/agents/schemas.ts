import { Type, type TSchema } from 'typebox'

import {
  about,
  AnyText,
  Count,
  FreeObject,
  NamedText,
  Text,
  TextMap,
  Time,
} from '../../http/schemas/kinds.ts'
import { ChosenBuild } from '../build-choice.ts'
import { AccountName, AgentName, BuildId, Cursor, Registry, VersionName } from '../names.ts'
import {
  accountAgentListExample,
  agentExample,
  agentListExample,
  configExample,
} from './examples.ts'

export const ValidationWarning = Type.Object(
  { field: AnyText('Path in the spec file'), message: AnyText('The problem') },
  {
    title: 'ValidationWarning',
    description: 'A problem of a spec file that does not prevent its registration',
  },
)

const versionMembers = {
  build_id: BuildId,
  version: Type.Optional(about(VersionName, 'Its version; only if the build is published')),
  published_at: Type.Optional(Time('When the build was published')),
}
const contentMembers = {
  spec: Type.Optional(FreeObject('The spec file, parsed')),
  readme: Type.Optional(AnyText('Readme of the build')),
}
const image_digests = Type.Optional(
  TextMap('Digests of images by reference, as registered; absent if there are none'),
)
/** What a client says of the commit that a build was made from. */
export const Commit = Type.Object(
  {
    id: NamedText('CommitId', 'Object name of the commit', {
      pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
      examples: ['3f786850e387550fdab836ed7e6dc881de23001b'],
    }),
    branch: Type.Optional(AnyText('Name of the branch; one line of at most 255 characters')),
    message: Type.Optional(AnyText('First line of the message; at most 500 characters')),
    has_changes: Type.Optional(
      Type.Boolean({ description: 'Whether the folder had changes that were not committed' }),
    ),
    ci_run_url: Type.Optional(
      AnyText('Address of the CI run that made the build: http or https, without a user'),
    ),
  },
  { title: 'Commit', description: 'The commit of the repository that the sources were in' },
)
const summaryMembers = {
  description: Type.Optional(AnyText('Description from the spec file')),
  tags: Type.Array(Type.String(), { description: 'Tags from the spec file' }),
}
const yanked = Type.Optional(
  Type.Boolean({ description: 'Whether the version was yanked; absent if not' }),
)
const registered_at = Type.Optional(Time('When the build was first registered; for members only'))
const validation_warnings = Type.Optional(
  Type.Array(ValidationWarning, {
    description:
      'For members only. Like spec and readme, omitted from old builds that would make the ' +
      'response too large',
  }),
)

const agentMembers = {
  account: about(AccountName, 'Account that owns the agent'),
  name: AgentName,
  registry: about(Registry, 'OCI registry of the newest build listed'),
}

const listOf = <Item extends TSchema>(item: Item, title: string, example: object) =>
  Type.Object(
    {
      agents: Type.Array(item, { description: 'Sorted by name, then account' }),
      count: Count('Number of agents in the response'),
      next_cursor: Type.Optional(Cursor),
    },
    { title, description: 'A page of agents', examples: [example] },
  )

export const Agent = Type.Object(
  {
    ...agentMembers,
    versions: Type.Array(
      Type.Object(
        {
          ...versionMembers,
          ...contentMembers,
          image_digests,
          yanked,
          registered_at,
          validation_warnings,
          commit: Type.Optional(about(Commit, 'As registered; for members only')),
        },
        { title: 'Version', description: 'A build with its version, if it is published' },
      ),
      { description: 'At most the newest 1000 versions' },
    ),
    has_more_versions: Type.Optional(
      Type.Boolean({ description: 'Whether there are more versions; absent if not' }),
    ),
  },
  { title: 'Agent', description: 'An agent with its builds', examples: [agentExample] },
)

const PublicVersion = Type.Object(
  { ...versionMembers, ...summaryMembers, ...contentMembers },
  {
    title: 'PublicVersion',
    description: 'The latest published version; spec and readme only if included',
  },
)

export const AgentList = listOf(
  Type.Object(
    {
      ...agentMembers,
      versions: Type.Array(PublicVersion, { description: 'The latest published version' }),
    },
    { title: 'PublicAgent', description: 'A published agent in the catalog' },
  ),
  'AgentList',
  agentListExample,
)

const LatestVersion = Type.Object(
  { ...versionMembers, ...summaryMembers, yanked, registered_at, validation_warnings },
  {
    title: 'LatestVersion',
    description: 'The latest build for members, the latest published version for others',
  },
)

export const AccountAgentList = listOf(
  Type.Object(
    {
      ...agentMembers,
      versions: Type.Array(LatestVersion, { description: 'The latest build or version' }),
    },
    { title: 'AccountAgent', description: 'An agent of an account' },
  ),
  'AccountAgentList',
  accountAgentListExample,
)

export const AgentListQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of agents in the response',
  }),
  cursor: Type.Optional(about(Cursor, 'next_cursor of the previous page')),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'At most 8 words; returns agents with all of them in name, description, tags or account',
    }),
  ),
  account: Type.Optional(Text('Only agents of this account')),
  tag: Type.Optional(Text('Only agents with this tag')),
  include: Type.Optional(AnyText('Comma-separated: spec, readme')),
})

export const AccountAgentsQuery = Type.Pick(AgentListQuery, ['limit', 'cursor'])

const CredentialKey = Type.Object(
  {
    key: AnyText('Name of the environment variable'),
    provider: AnyText('Provider that needs it; empty for the agent itself'),
    category: AnyText('model, knowledge, tool, integration or its type, messaging, agent'),
    description: AnyText('Its purpose'),
    optional: Type.Boolean({ description: 'Whether a deployment works without it' }),
  },
  { title: 'CredentialKey', description: 'A credential that a deployment takes' },
)

export const AgentConfig = Type.Object(
  {
    agent: AgentName,
    build_id: about(BuildId, 'The build that the credentials belong to'),
    ...ChosenBuild,
    credentials: Type.Array(CredentialKey, { description: 'Sorted by key' }),
  },
  {
    title: 'AgentConfig',
    description: 'What a deployment of the build needs',
    examples: [configExample],
  },
)
