import { Type } from 'typebox'

import { about, AnyText, Count, Text, TextMap } from '../../http/schemas/kinds.ts'
import { AccountName, AgentName, BuildId, Registry, VersionName } from '../names.ts'
import {
  deletedAgentExample,
  deletedBuildExample,
  publishedExample,
  publishExample,
  registeredExample,
  registerExample,
  yankedExample,
} from './examples.ts'
import { Commit, ValidationWarning } from './schemas.ts'

export const RegisterBody = Type.Object(
  {
    build_id: BuildId,
    registry: Registry,
    spec_content: Text('YAML text of astroai.yml; at most 256 KiB'),
    readme: Type.Optional(AnyText('Readme; at most 512 KiB')),
    image_digests: Type.Optional(
      TextMap(
        'Digests (`sha256:…`) by image reference, as returned by the push, for images that the ' +
          'build has without a digest. Deployments run exactly these images',
      ),
    ),
    commit: Type.Optional(
      about(Commit, 'What the build was made from; the same content again keeps the first one'),
    ),
  },
  { title: 'RegisterRequest', description: 'A build of an agent', examples: [registerExample] },
)

export const Registered = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    name: AgentName,
    build_id: BuildId,
    validation_warnings: Type.Array(ValidationWarning, { description: 'Sorted by field' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Unknown fields and query parameters, as `path: reason`; and which other build a ' +
          'deploy takes unless it names one',
      }),
    ),
  },
  {
    title: 'RegisteredBuild',
    description: 'The build was registered',
    examples: [registeredExample],
  },
)

export const PublishBody = Type.Object(
  { build_id: BuildId, version: VersionName },
  {
    title: 'PublishRequest',
    description: 'A registered build, and the version to publish it under',
    examples: [publishExample],
  },
)

export const Published = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    name: AgentName,
    build_id: BuildId,
    version: VersionName,
  },
  {
    title: 'PublishedBuild',
    description: 'The build was published',
    examples: [publishedExample],
  },
)

const isDryRun = Type.Boolean({ description: 'Whether nothing was deleted' })

export const DeletedBuild = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    name: AgentName,
    build_id: BuildId,
    dry_run: isDryRun,
  },
  {
    title: 'DeletedBuild',
    description: 'The build was deleted, or can be',
    examples: [deletedBuildExample],
  },
)

export const DeletedAgent = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    name: AgentName,
    dry_run: isDryRun,
    deleted: Type.Object(
      {
        builds: Type.Array(BuildId, { description: 'The newest 1000 builds, newest first' }),
        build_count: Count('Number of builds'),
      },
      { title: 'DeletedAgentContent', description: 'What was, or would be, deleted with it' },
    ),
  },
  {
    title: 'DeletedAgent',
    description: 'The agent was deleted, or can be',
    examples: [deletedAgentExample],
  },
)

export const Yanked = Type.Object(
  {
    message: AnyText('Confirmation'),
    account: AccountName,
    name: AgentName,
    version: VersionName,
    build_id: BuildId,
  },
  {
    title: 'YankedVersion',
    description: 'The version was yanked or unyanked',
    examples: [yankedExample],
  },
)
