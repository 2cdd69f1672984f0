import { Type, type TSchema } from 'typebox'

import { AnyText, FreeObject, Text, TextMap, Time } from '../../http/schemas.ts'

export const ValidationWarning = Type.Object({
  field: AnyText('Path in the spec file'),
  message: AnyText('The problem'),
})

const versionMembers = {
  build_id: AnyText('The build'),
  version: Type.Optional(AnyText('SemVer version; only if the build is published')),
  published_at: Type.Optional(Time('When the build was published')),
}
const contentMembers = {
  spec: Type.Optional(FreeObject('The spec file, parsed')),
  readme: Type.Optional(AnyText('Readme of the build')),
}
const image_digests = Type.Optional(
  TextMap('Digests of images by reference, as registered; absent if there are none'),
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
  account: AnyText('Account that owns the agent'),
  name: AnyText('Agent name'),
  registry: AnyText('OCI registry of the newest build listed'),
}

const listOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object(
    {
      agents: Type.Array(item),
      count: Type.Integer({ description: 'Number of agents in the response' }),
      next_cursor: Type.Optional(AnyText('Cursor of the next page; absent on the last page')),
    },
    { title },
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
        },
        { title: 'Version' },
      ),
      { description: 'At most the newest 1000 versions' },
    ),
    has_more_versions: Type.Optional(
      Type.Boolean({ description: 'Whether there are more versions; absent if not' }),
    ),
  },
  { title: 'Agent' },
)

const PublicVersion = Type.Object(
  { ...versionMembers, ...summaryMembers, ...contentMembers },
  {
    title: 'PublicVersion',
    description: 'The latest published version; spec and readme only if included',
  },
)

export const AgentList = listOf(
  Type.Object({ ...agentMembers, versions: Type.Array(PublicVersion) }, { title: 'PublicAgent' }),
  'AgentList',
)

const LatestVersion = Type.Object(
  { ...versionMembers, ...summaryMembers, yanked, registered_at, validation_warnings },
  {
    title: 'LatestVersion',
    description: 'The latest build for members, the latest published version for others',
  },
)

export const AccountAgentList = listOf(
  Type.Object({ ...agentMembers, versions: Type.Array(LatestVersion) }, { title: 'AccountAgent' }),
  'AccountAgentList',
)

export const RegisterBody = Type.Object({
  build_id: Text('Build id: an OCI tag'),
  registry: Text('OCI registry URL of the build'),
  spec_content: Text('YAML text of astroai.yml; at most 256 KiB'),
  readme: Type.Optional(AnyText('Readme; at most 512 KiB')),
  image_digests: Type.Optional(
    TextMap(
      'Digests (`sha256:…`) by image reference, as returned by the push, for images that the ' +
        'build has without a digest. Deployments run exactly these images',
    ),
  ),
})

export const Registered = Type.Object(
  {
    message: Type.String(),
    account: Type.String(),
    name: Type.String(),
    build_id: Type.String(),
    validation_warnings: Type.Array(ValidationWarning),
  },
  { description: 'The build was registered' },
)

export const PublishBody = Type.Object({
  build_id: Text('A registered build'),
  version: Text('SemVer 2.0 version without a leading v'),
})

export const Published = Type.Object(
  {
    message: Type.String(),
    account: Type.String(),
    name: Type.String(),
    build_id: Type.String(),
    version: Type.String(),
  },
  { description: 'The build was published' },
)

export const AgentListQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of agents in the response',
  }),
  cursor: Type.Optional(Text('next_cursor of the previous page')),
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

export const AgentConfig = Type.Object(
  {
    agent: AnyText('Agent name'),
    build_id: AnyText('The build that the credentials belong to'),
    credentials: Type.Array(
      Type.Object({
        key: AnyText('Name of the environment variable'),
        provider: AnyText('Provider that needs it; empty for the agent itself'),
        category: AnyText('model, knowledge, tool, integration or its type, messaging, agent'),
        description: AnyText('Its purpose'),
        optional: Type.Boolean({ description: 'Whether a deployment works without it' }),
      }),
      { description: 'Sorted by key' },
    ),
  },
  { title: 'AgentConfig' },
)

const isDryRun = Type.Boolean({ description: 'Whether nothing was deleted' })

export const DeletedBuild = Type.Object({
  message: Type.String(),
  account: Type.String(),
  name: Type.String(),
  build_id: Type.String(),
  dry_run: isDryRun,
})

export const DeletedAgent = Type.Object({
  message: Type.String(),
  account: Type.String(),
  name: Type.String(),
  dry_run: isDryRun,
  deleted: Type.Object({
    builds: Type.Array(Type.String(), { description: 'The newest 1000 builds, newest first' }),
    build_count: Type.Integer({ description: 'Number of builds' }),
  }),
})

export const Yanked = Type.Object({
  message: Type.String(),
  account: Type.String(),
  name: Type.String(),
  version: Type.String(),
  build_id: Type.String(),
})
